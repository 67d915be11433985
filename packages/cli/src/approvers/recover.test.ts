import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { loadApprover, openApprover, openApprovers, openAskingToken, openHome } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { openServiceWorld } from '@countersign/testing/gate/service'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

/** A terminal that records its output, with scripted answers. */
function paper(...answers: readonly string[]) {
  let text = ''
  const left = [...answers]
  const terminal = {
    columns: 80,
    rows: 24,
    plain: true,
    color: false,
    write(more: string) {
      text += more
    },
    listen(hear: (chunk: string) => void) {
      const answer = left.shift()
      if (answer !== undefined) queueMicrotask(() => hear(answer))
      return () => {}
    },
    close() {},
  }
  return { text: () => text, terminal }
}

const CODE = /(?:[a-z2-9]{4}-){3}[a-z2-9]{4}/g

/** A home with a key and its recovery codes. */
async function enrolled() {
  const cwd = temporaryFolder()
  const at = { cwd, home: join(cwd, 'home') }
  mkdirSync(at.home, { mode: 0o700 })
  const lost = openApprover(openHome(at.home), { name: 'ana' }).approver.id
  const { text, terminal } = paper()
  const made = await runInProcess(['approvers', 'codes'], { ...at, terminal })
  return { at, lost, made, codes: text().match(CODE) ?? [] }
}

describe('countersign approvers recover', () => {
  it.each([
    ['leaves the home usable if no rules are set', ['policy', 'undo'], /^no held calls\n$/, 'automatic'],
    ['names what to sign if rules are set', ['policy', 'set', 'kind:delete', 'deny'], /policy sign/, 'manual'],
  ])('%s', async (_, change, said, supervision) => {
    const { at, codes } = await enrolled()
    await runInProcess(['policy', 'set', 'kind:read', 'confirm'], at)
    await runInProcess(change, { ...at, columns: 80, input: 'yes\n' })
    rmSync(join(at.home, 'keys', 'approver.key'))
    await runInProcess(['approvers', 'recover'], { ...at, terminal: paper(`${codes[0]}\r`).terminal })
    const held = await runInProcess(['held'], at)
    expect(held.code, held.stderr).toBe(0)
    expect(held.stderr).toMatch(said)
    const explained = await runInProcess(['policy', 'explain', '--json', 'read_file', '--args', '{"path":"a"}'], at)
    expect(explained.json()).toMatchObject({ supervision })
  })

  it('replaces a lost key with a code that is shown only on the terminal (A2)', async () => {
    const { at, lost, made, codes } = await enrolled()
    expect(codes).toHaveLength(8)
    for (const code of codes) expect(made.stdout + made.stderr).not.toContain(code)
    rmSync(join(at.home, 'keys', 'approver.key'))
    const ran = await runInProcess(['approvers', 'recover'], { ...at, terminal: paper(`${codes[0]}\r`).terminal })
    expect(ran.stdout).toMatch(/^replaced [0-9a-f]{8} with the new key [0-9a-f]{8}\n$/)
    expect(ran.stderr).toContain('recovery codes left: 7')
    const home = openHome(at.home)
    const ids = (await openApprovers(home).list()).map(({ id }) => id)
    expect(ids).toEqual([loadApprover(home)?.approver.id])
    expect(ids).not.toContain(lost)
    const again = await runInProcess(['approvers', 'recover'], { ...at, terminal: paper(`${codes[0]}\r`).terminal })
    expect(again.stderr).toContain('[CS_SIGN_IN]')
    const tail = (await runInProcess(['journal', 'tail'], at)).stdout
    for (const kind of ['recovery-codes-made', 'key-recovered', 'recovery-refused']) expect(tail).toContain(kind)
    for (const code of codes) expect(tail).not.toContain(code)
  })

  it('needs a terminal, and does not run inside a gated call (L8)', async () => {
    const { at } = await enrolled()
    for (const name of ['recover', 'codes']) {
      expect((await runInProcess(['approvers', name], at)).stderr).toContain('[CS_NO_INTERFACE]')
      const inside = await runInProcess(['approvers', name], {
        ...at,
        terminal: paper('x\r').terminal,
        env: { COUNTERSIGN_INSIDE: 'call_1' },
      })
      expect(inside.stderr).toContain('[CS_DENIED]')
    }
    expect((await runInProcess(['approvers', 'recover', 'abcd'], at)).code).not.toBe(0)
  })

  it('has no route over HTTP, neither for a signed-in browser nor with an asker’s token (L8)', async () => {
    const world = await openServiceWorld()
    const authorization = `Bearer ${openAskingToken(world.home).token}`
    for (const path of ['/approvers/recover', '/recover', '/approvers/codes'])
      for (const headers of [{}, { authorization }])
        expect((await world.fetch(path, { method: 'POST', body: '{}', headers })).status).toBeGreaterThanOrEqual(400)
  })

  it('is explained when a home has no codes', async () => {
    const cwd = temporaryFolder()
    const home = join(cwd, 'home')
    mkdirSync(home, { mode: 0o700 })
    const ran = await runInProcess(['approvers', 'recover'], { cwd, home, terminal: paper('abcd\r').terminal })
    expect(ran.stderr).toContain('this home has no recovery codes')
  })
})
