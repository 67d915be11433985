import { type HeldCallView, openView, safeJson, safeLines, safeText } from '@countersign/core'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { simulatedClock } from '@countersign/testing/simulated-clock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { corpus } from './corpus.ts'

const TEXTS = corpus('display')

/** Characters that no surface may print: controls except line feed, bidi and invisible characters, unusual spaces. */
const FORBIDDEN =
  /[\p{Cc}--\n]|\p{Cf}|\p{Co}|\p{Cs}|\p{Zl}|\p{Zp}|[\p{Zs}--\u0020]|\p{Default_Ignorable_Code_Point}|\u2800|\p{Me}/v

let world: World
beforeAll(async () => {
  world = await openWorld({
    policy: 'version: 1\nrules:\n  - { id: ask, tool: "*", supervision: confirm, floor: true }\n',
    options: { bounds: { heldInSession: 500 } },
    clock: simulatedClock(Date.now()),
  })
})
afterAll(() => world.close())

/** Every string of a view, as a surface shows it. */
function shown(view: HeldCallView): readonly string[] {
  const { body } = openView(view, world.ports.crypto)
  const words = [
    view.effect,
    view.said ?? '',
    view.confirmationMessage ?? '',
    view.toolDescription ?? '',
    body.call.tool.name,
    body.call.cwd,
    ...body.call.agent,
  ]
  const more = [
    ...view.findings.map(({ message }) => message),
    ...view.risk.reasons.map(({ text }) => text),
    ...view.verdict.reasons,
    ...view.offers.map((offer) => offer.words),
  ]
  const blocks = [
    ...safeJson(body.call.args),
    ...safeJson(JSON.parse(JSON.stringify(view.preview))),
    ...safeLines(view.said ?? ''),
  ]
  return [...[...words, ...more].map((text) => safeText(text)), ...blocks]
}

describe('A12 A13: text cannot move, hide or reorder what a person reads', () => {
  it('no string of a held view contains a forbidden character after display', async () => {
    for (const { source, text } of TEXTS) {
      const name = /[\p{Cc}]/u.test(text) || !text.isWellFormed() ? 'plain' : `tool ${text}`
      const leaving = new AbortController()
      const call = {
        tool: { name, description: text },
        args: { text, [`key ${text}`]: [text] },
        said: text,
        confirmationMessage: text,
        agent: { name },
      }
      const result = world.gate.run(call, () => 1, leaving.signal)
      const view = await onlyHeld(world)
      for (const line of shown(view))
        expect(
          FORBIDDEN.exec(line)?.[0].codePointAt(0)?.toString(16),
          `${source}: ${JSON.stringify(line)}`,
        ).toBeUndefined()
      leaving.abort()
      await result
    }
  }, 60_000)

  it('a command and a diff full of them are shown as inert text', async () => {
    const all = TEXTS.map(({ text }) => text).join('\n')
    for (const call of [
      { tool: 'execute_command', args: { command: `echo ${all}` } },
      { tool: 'write_file', args: { path: `${world.workspace}/x`, content: all } },
    ]) {
      const leaving = new AbortController()
      const result = world.gate.run(call, () => 1, leaving.signal)
      const view = await onlyHeld(world)
      const lines = shown(view)
      expect(lines.length).toBeGreaterThan(50)
      expect(lines.filter((line) => FORBIDDEN.test(line))).toEqual([])
      leaving.abort()
      await result
    }
  })

  it('the command line prints none of them: list, history, journal', async () => {
    const results: Promise<unknown>[] = []
    const leaving = new AbortController()
    for (const { text } of TEXTS) {
      const call = {
        tool: 'send_report',
        args: { text },
        said: text,
        description: { kind: 'send' as const, url: text.toWellFormed() },
      }
      results.push(world.gate.run(call, () => 1, leaving.signal))
    }
    expect((await world.held()).length).toBe(TEXTS.length)
    for (const argv of [['held'], ['journal', 'tail', '-n', '500'], ['history']]) {
      const { stdout, stderr } = await runInProcess(argv, { cwd: world.workspace, home: world.home.dir })
      expect(stdout.length, argv.join(' ')).toBeGreaterThan(100)
      for (const line of `${stdout}${stderr}`.split('\n'))
        expect(
          FORBIDDEN.exec(line)?.[0].codePointAt(0)?.toString(16),
          `${argv.join(' ')}: ${JSON.stringify(line)}`,
        ).toBeUndefined()
    }
    leaving.abort()
    await Promise.all(results)
  })
})
