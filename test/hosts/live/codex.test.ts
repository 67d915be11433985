import { describe, expect, it } from 'vitest'
import { codex } from '../drivers/codex.ts'
import { INSTALLED } from '../rig/installed.ts'
import { createProbe } from '../rig/probe.ts'
import { MARKED_COMMAND, runHost } from '../rig/run-host.ts'
import { withWorld } from '../rig/world.ts'

const VERSIONS = INSTALLED.filter(({ host }) => host === 'codex')
/** This model writes JavaScript that calls the tools. */
const CODE_MODE = ['-m', 'gpt-6.1-sol']
const REASON = 'refused by the probe, number 4711'
const SESSION_ID = /session ID (\d+)/

describe.each(VERSIONS)('Codex $version', ({ version }) => {
  it.concurrent('asks the hook for each call that a script of the model makes', () =>
    withWorld(async (world) => {
      const probe = createProbe(codex, world.root, { PreToolUse: codex.deny(REASON) })
      const script = `text(await tools.exec_command({ cmd: ${JSON.stringify(MARKED_COMMAND)}, workdir: '/tmp' }))`
      const turns = [{ calls: [{ tool: 'functions.exec', args: { freeform: script } }] }]
      const run = await runHost(codex, { ...world, version, turns, args: CODE_MODE, files: probe.files('user') })
      expect(run.markerExists, run.output).toBe(false)
      expect(run.toolResults[0]?.text).toContain(REASON)
      const asked = probe.events().filter(({ name }) => name === 'PreToolUse')
      // The folder is the command's own, not the session's.
      expect(asked.map(({ event }) => [event['tool_name'], event['tool_input'], event['cwd']])).toEqual([
        ['Bash', { command: MARKED_COMMAND }, '/tmp'],
      ])
    }))

  it.concurrent('does not ask the hook for what is typed into a shell that already runs', () =>
    withWorld(async (world) => {
      const probe = createProbe(codex, world.root)
      const run = await runHost(codex, {
        ...world,
        version,
        files: probe.files('user'),
        turns: [
          { calls: [{ tool: 'exec_command', args: { cmd: 'bash', tty: true, yield_time_ms: 300 } }] },
          (results) => {
            const session_id = Number(SESSION_ID.exec(results.at(-1)?.text ?? '')?.[1])
            return { calls: [{ tool: 'write_stdin', args: { session_id, chars: `${MARKED_COMMAND}\n` } }] }
          },
        ],
      })
      expect(run.markerRuns, run.output).toBe(1)
      const asked = probe.events().filter(({ name }) => name === 'PreToolUse')
      expect(asked.map(({ event }) => event['tool_input'])).toEqual([{ command: 'bash' }])
    }))
})
