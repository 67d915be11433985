import { describe, expect, it } from 'vitest'
import { isInside, type Place, placeOf } from './category.ts'

const PLACES = { workspace: '/srv/app', home: '/home/you', gate: '/home/you/.countersign', temp: '/tmp' }

describe('the category of a path', () => {
  it.each<[string, Place]>([
    ['/srv/app/src/a.ts', 'workspace'],
    ['/srv/app', 'workspace'],
    ['/srv/app-secrets/x', 'elsewhere'],
    ['/srv', 'system'],
    ['/', 'system'],
    ['/etc/passwd', 'system'],
    ['/ETC/passwd', 'system'],
    ['/usr/local/bin/x', 'system'],
    ['/home', 'system'],
    ['/dev/sda', 'device'],
    ['/proc/self/environ', 'device'],
    ['/sys/power/state', 'device'],
    ['/dev/shm/x', 'temp'],
    ['/tmp/x', 'temp'],
    ['/private/var/folders/x', 'temp'],
    ['/home/you/.countersign', 'gate'],
    ['/home/you/.countersign/keys/a', 'gate'],
    ['/home/you/.countersign-other', 'home'],
    ['/home/you/.ssh/id_ed25519', 'credentials'],
    ['/home/you/.SSH/x', 'credentials'],
    ['/home/you/.\u017f\u017fh/x', 'credentials'],
    ['/srv/app/.env', 'credentials'],
    ['/srv/app/.Env', 'credentials'],
    ['/srv/app/.env.production', 'credentials'],
    ['/srv/app/.env.example', 'workspace'],
    ['/srv/app/tls/server.pem', 'credentials'],
    ['/etc/shadow', 'credentials'],
    ['/home/you/.bashrc', 'startup'],
    ['/home/you/.config/fish/config.fish', 'startup'],
    ['/srv/app/.claude/settings.json', 'startup'],
    ['/srv/app/.opencode/plugins/x.js', 'startup'],
    ['/srv/app/.clinerules/hooks/PreToolUse', 'startup'],
    ['/srv/app/sub/.agents/plugins/x/hooks/hooks.json', 'startup'],
    ['/srv/app/.github/hooks/off.json', 'vcs'],
    ['/srv/app/.github/copilot/settings.json', 'vcs'],
    ['/srv/app/src/hooks/use-it.ts', 'workspace'],
    ['/home/you/notes', 'home'],
    ['/home/other/notes', 'elsewhere'],
    ['/srv/app/.git/hooks/x', 'vcs'],
    ['/srv/app/.github/workflows/ci.yml', 'vcs'],
    ['/srv/app/.github/labels.yml', 'workspace'],
    ['/srv/app/node_modules/x', 'regenerable'],
    ['/srv/app/packages/a/dist', 'regenerable'],
    ['/mnt/data/x', 'elsewhere'],
  ])('%s is %s', (path, place) => {
    expect(placeOf(path, PLACES)).toBe(place)
  })

  it('compares paths component by component', () => {
    expect(isInside('/a/b', '/a')).toBe(true)
    expect(isInside('/a', '/a')).toBe(true)
    expect(isInside('/ab', '/a')).toBe(false)
    expect(isInside('/x', '/')).toBe(true)
    expect(isInside('/x', '')).toBe(false)
  })

  it('is workspace for a workspace in the temporary folder', () => {
    expect(placeOf('/tmp/w/a.ts', { ...PLACES, workspace: '/tmp/w' })).toBe('workspace')
  })
})
