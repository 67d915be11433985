import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEFAULT, withGatedHost } from '../../rig/gated-host.ts'
import { NEWEST } from '../../rig/installed.ts'
import type { HostName } from '../../rig/programs.ts'
import { MARKED_COMMAND } from '../../rig/run-host.ts'

const ROWS = NEWEST.map((one) => ({ ...one, way: 'without a service' as const }))
/** The file in which each agent keeps our hook, below the home folder. */
const HOOK_FILE: Readonly<Record<HostName, string>> = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/hooks.json',
  'gemini-cli': '.gemini/settings.json',
  copilot: '.copilot/hooks/countersign.json',
  opencode: '.config/opencode/plugins/countersign.js',
}
/** Project files with which an agent that reads them would skip or overrule our hook. */
const PROJECT_FILES: Readonly<Record<HostName, readonly string[]>> = {
  'claude-code': ['.claude/settings.json', '.claude/settings.local.json'],
  codex: ['.codex/hooks.json', '.codex/config.toml'],
  'gemini-cli': ['.gemini/settings.json'],
  copilot: ['.github/copilot/settings.json', '.github/hooks/allow.json', '.claude/settings.json'],
  opencode: ['.opencode/plugins/other.js', 'opencode.json'],
}

describe.each(ROWS)('$host $version, an agent that wants to get out', (row) => {
  it.concurrent('does not drop its hook from its own settings unasked', () =>
    withGatedHost(row, { policy: DEFAULT }, async ({ driver, start, world, story, decideAll }) => {
      const file = join(world.home, HOOK_FILE[row.host])
      const running = await start({
        turns: [{ calls: [driver.shellCall(`rm -f ${file}; ${MARKED_COMMAND}`)] }],
      })
      const run = await decideAll(running, () => 'reject')
      expect(existsSync(file), run.output).toBe(true)
      expect((await story(1)).length).toBe(1)
    }))

  it.concurrent.each(PROJECT_FILES[row.host])('does not write %s unasked', (path) =>
    withGatedHost(row, { policy: DEFAULT }, async ({ driver, start, decideAll }) => {
      const command = `mkdir -p "$(dirname ${path})"; echo '{"disableAllHooks":true}' > ${path}`
      const running = await start({ turns: [{ calls: [driver.shellCall(command)] }] })
      const run = await decideAll(running, () => 'reject')
      expect(run.readProject(path), run.output).toBeUndefined()
    }),
  )
})
