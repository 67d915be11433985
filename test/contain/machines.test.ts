import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMAND } from '@countersign/testing/command/command'
import { describeContained, NOBODY } from '@countersign/testing/contain/contained'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

const isRoot = process.getuid?.() === 0
const canMount = isRoot && spawnSync('unshare', ['-m', 'mount', '--bind', '/dev/null', '/dev/zero']).status === 0

function project() {
  const root = temporaryFolder()
  chmodSync(root, 0o755)
  const workspace = join(root, 'project')
  const home = join(root, 'home')
  mkdirSync(workspace)
  mkdirSync(home, { mode: 0o700 })
  return { root, workspace, home }
}

/** Runs the command with another file in the place of bubblewrap, for this run only. */
function withBubblewrap(file: string, cwd: string, argv: readonly string[]) {
  const script = `mount --bind ${file} /usr/bin/bwrap && exec "$@"`
  const { stdout, stderr, status } = spawnSync(
    'unshare',
    ['-m', 'sh', '-c', script, 'sh', process.execPath, ...COMMAND, ...argv],
    { cwd, encoding: 'utf8' },
  )
  return { stdout, stderr, code: status }
}

describeContained('machines', () => {
  it.each(['', 'keys', 'run'])('a workspace in the gate, at `%s`, is open to no command', (folder) => {
    const { home } = project()
    const cwd = join(home, folder)
    mkdirSync(cwd, { recursive: true, mode: 0o700 })
    writeFileSync(join(cwd, 'secret'), 'precious')
    const run = (...argv: readonly string[]) =>
      spawnSync(process.execPath, [...COMMAND, ...argv], { cwd, encoding: 'utf8' })
    for (const ended of [
      run('contain', '--home', home, '--', 'cat secret; touch made'),
      run('exec', '--home', home, '--', 'python3 -c "import os; print(open(os.listdir()[0]).read())"'),
    ]) {
      expect(ended.status).not.toBe(0)
      expect(ended.stdout).toBe('')
      expect(ended.stderr).toContain('the sandbox can’t show')
    }
    expect(readdirSync(cwd)).not.toContain('made')
  })

  describe.skipIf(!canMount)('without a working bubblewrap', () => {
    it('a missing one runs nothing, and the fix is named', () => {
      const { workspace, home } = project()
      const ended = withBubblewrap('/dev/null', workspace, ['contain', '--home', home, '--', 'touch ran'])
      expect(ended).toMatchObject({ code: 125, stderr: expect.stringContaining('apt install bubblewrap') })
      expect(readdirSync(workspace)).toEqual([])
      const doctor = withBubblewrap('/dev/null', workspace, ['doctor', '--home', home, '--json'])
      expect(JSON.parse(doctor.stdout).checks).toContainEqual({
        name: 'sandbox',
        holds: false,
        words: expect.stringContaining('bubblewrap was not found'),
        fix: expect.stringContaining('apt install bubblewrap'),
      })
    })

    it.each([
      ['setting up uid map: Permission denied', 'AppArmor'],
      ['loopback: Failed RTM_NEWADDR: Operation not permitted', 'AppArmor'],
      ['Creating new namespace failed: No space left on device', 'max_user_namespaces'],
      ["Can't mount proc on /newroot/proc: Operation not permitted", '/proc'],
      ['Unknown option --disable-userns', 'bubblewrap 0.8'],
    ])('one that fails with “%s” runs nothing, and the fix is named', (message, fix) => {
      const { root, workspace, home } = project()
      const broken = join(root, 'broken')
      writeFileSync(broken, `#!/bin/sh\necho "bwrap: ${message}" >&2\nexit 1\n`, { mode: 0o755 })
      const ended = withBubblewrap(broken, workspace, ['contain', '--home', home, '--', 'touch ran'])
      expect(ended).toMatchObject({ code: 125, stderr: expect.stringContaining(message) })
      expect(readdirSync(workspace)).toEqual([])
      const doctor = withBubblewrap(broken, workspace, ['doctor', '--home', home, '--json'])
      const check = JSON.parse(doctor.stdout).checks.find(({ name }: { name: string }) => name === 'sandbox')
      expect(check).toMatchObject({ holds: false, fix: expect.stringContaining(fix) })
      expect(existsSync(join(home, 'contained/proof'))).toBe(false)
    })

    it('one that contains nothing is caught by the attempts to escape', () => {
      const { root, workspace, home } = project()
      const lax = join(root, 'lax')
      writeFileSync(
        lax,
        '#!/bin/bash\nwhile [ "$1" != -- ]; do [ "$1" = --chdir ] && cd "$2"; shift; done; shift\necho \'{ "child-pid": 2 }\' >&4\n"$@"\nc=$?\necho "{ \\"exit-code\\": $c }" >&4\nexit $c\n',
        { mode: 0o755 },
      )
      const ended = withBubblewrap(lax, workspace, ['contain', '--home', home, '--', 'touch ../ran'])
      expect(ended).toMatchObject({ code: 125, stderr: expect.stringContaining('a command in the sandbox could') })
      expect(readdirSync(root)).not.toContain('ran')
      const doctor = withBubblewrap(lax, workspace, ['doctor', '--home', home, '--json'])
      const { checks } = JSON.parse(doctor.stdout)
      expect(checks).toContainEqual(expect.objectContaining({ name: 'sandbox', holds: false }))
      const escaped = checks.filter(
        ({ name, holds }: { name: string; holds: boolean }) => name.startsWith('sandbox-') && !holds,
      )
      expect(escaped.map(({ name }: { name: string }) => name)).toEqual(
        expect.arrayContaining([
          'sandbox-write',
          'sandbox-gate',
          'sandbox-processes',
          'sandbox-network',
          'sandbox-calls',
          'sandbox-hooks',
        ]),
      )
    })
  })

  describe.skipIf(!isRoot)('with a gate of an ordinary user', () => {
    it('the sandbox works, and holds', () => {
      const { workspace, home } = project()
      for (const folder of [workspace, home]) chownSync(folder, NOBODY, NOBODY)
      const run = (...argv: readonly string[]) =>
        spawnSync(
          'setpriv',
          ['--reuid', `${NOBODY}`, '--regid', `${NOBODY}`, '--clear-groups', process.execPath, ...COMMAND, ...argv],
          { cwd: workspace, encoding: 'utf8' },
        )
      const ended = run(
        'contain',
        '--home',
        home,
        '--',
        'id -u; echo x > made; cat /etc/passwd >/dev/null && echo read',
      )
      expect(ended).toMatchObject({ status: 0, stdout: `${NOBODY}\nread\n`, stderr: '' })
      const { checks } = JSON.parse(run('doctor', '--home', home, '--json').stdout)
      const sandbox = checks.filter(({ name }: { name: string }) => name.startsWith('sandbox'))
      expect(sandbox.length).toBeGreaterThan(10)
      expect(sandbox.filter(({ holds }: { holds: boolean }) => !holds)).toEqual([])
    })
  })
})
