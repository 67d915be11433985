import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNode } from '@countersign/testing/command/run-node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { openHome } from '../home/home.ts'
import { approverKeyState, loadApprover } from './approver-key.ts'
import { readApprovers } from './approver-registry.ts'
import { openApprover } from './decide.ts'
import { beginRecovery, finishRecovery } from './recover-approver.ts'
import { makeRecoveryCodes, recoveryCodesLeft } from './recovery-codes.ts'

const MINUTE = 60_000

function enrolled() {
  const home = openHome(join(temporaryFolder(), 'home'))
  const { approver } = openApprover(home, { name: 'ana', passphrase: 'long forgotten' })
  return { home, lost: approver.id, codes: makeRecoveryCodes(home, approver.id) }
}
const begin = (home: ReturnType<typeof openHome>, code = '', now = 0) => beginRecovery(home, code, { name: 'ana', now })

describe('recovery codes', () => {
  it('replace a lost key once each, however they are typed', () => {
    const { home, lost, codes } = enrolled()
    const [first = '', second = ''] = codes
    expect(codes).toHaveLength(8)
    const answer = begin(home, ` ${first.toUpperCase().replaceAll('-', ' ')}`)
    if (answer.kind !== 'begun') throw new Error(answer.kind)
    expect(answer.recovery).toMatchObject({ replaces: lost, left: 7 })
    expect(readApprovers(home).map(({ id }) => id)).toEqual([lost])
    const { id } = finishRecovery(home, answer.recovery)
    expect(id).not.toBe(lost)
    expect(readApprovers(home).map((one) => one.id)).toEqual([id])
    expect(loadApprover(home)?.approver).toMatchObject({ id, name: 'ana' })
    expect(begin(home, first)).toEqual({ kind: 'wrong', left: 4 })
    expect(begin(home, second)).toMatchObject({ kind: 'begun', recovery: { replaces: id, left: 6 } })
  })

  it('allow one attempt every 15 minutes after five wrong ones, also for a right code, and whatever the clock does', () => {
    const { home, codes } = enrolled()
    for (const left of [4, 3, 2, 1, 0]) expect(begin(home, 'wrong', MINUTE)).toEqual({ kind: 'wrong', left })
    expect(begin(home, codes[0], 2 * MINUTE)).toEqual({ kind: 'wait', until: 16 * MINUTE })
    expect(begin(home, 'wrong', 16 * MINUTE)).toEqual({ kind: 'wrong', left: 0 })
    expect(begin(home, codes[0], 17 * MINUTE)).toMatchObject({ kind: 'wait' })
    expect(begin(home, codes[0], 0)).toEqual({ kind: 'wait', until: 15 * MINUTE })
    expect(begin(home, codes[0], 15 * MINUTE)).toMatchObject({ kind: 'begun' })
  })

  it('are stored as hashes in a file of mode 0600, and end with the next set', () => {
    const { home, lost, codes } = enrolled()
    const text = readFileSync(home.recovery, 'utf8')
    for (const code of codes) expect(text).not.toContain(code.replaceAll('-', ''))
    expect(statSync(home.recovery).mode & 0o777).toBe(0o600)
    makeRecoveryCodes(home, lost)
    expect(begin(home, codes[0])).toMatchObject({ kind: 'wrong' })
    expect(recoveryCodesLeft(home)).toBe(8)
  })

  it('keep a missing key from being replaced silently', () => {
    const { home } = enrolled()
    rmSync(join(home.keys, 'approver.key'))
    const refused = expect.objectContaining({ code: 'CS_KEY', message: expect.stringContaining('approvers recover') })
    expect(() => openApprover(home, { name: 'mallory' })).toThrow(refused)
    expect(approverKeyState(home)).toBe('absent')
  })

  it.each(['', '{', '{}', '{"version":1,"approver":"a","salt":"","hashes":[1]}'])(
    'admit nobody from a damaged file: %s',
    (text) => {
      const { home, codes } = enrolled()
      writeFileSync(home.recovery, text)
      expect(() => begin(home, codes[0])).toThrow(expect.objectContaining({ code: 'CS_APPROVERS' }))
      rmSync(join(home.keys, 'approver.key'))
      expect(() => openApprover(home, { name: 'mallory' })).toThrow(expect.objectContaining({ code: 'CS_APPROVERS' }))
    },
  )

  it('finish with the same code and the same key after a kill at any moment', { timeout: 60_000 }, async () => {
    const source = `
      import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      const [dir, code, at] = process.argv.slice(1)
      let renames = 0
      const rename = fs.renameSync
      fs.renameSync = (...args) => {
        if (renames++ === Number(at)) process.kill(process.pid, 'SIGKILL')
        return rename(...args)
      }
      syncBuiltinESMExports()
      const { openHome } = await import('./packages/node/src/home/home.ts')
      const { beginRecovery, finishRecovery } = await import('./packages/node/src/approvers/recover-approver.ts')
      const answer = beginRecovery(openHome(dir), code, { name: 'ana', now: 0 })
      finishRecovery(openHome(dir), answer.recovery)
      console.log(renames)`
    const whole = enrolled()
    const moments = Number(await runNode(source, [whole.home.dir, whole.codes[0] ?? '', '-1']))
    expect(moments).toBe(5)
    for (let at = 0; at < moments; at += 1) {
      const { home, lost, codes } = enrolled()
      await expect(runNode(source, [home.dir, codes[0] ?? '', String(at)])).rejects.toThrow(
        expect.objectContaining({ signal: 'SIGKILL' }),
      )
      const begun = begin(home, codes[0])
      if (begun.kind !== 'begun') throw new Error(`${begun.kind} after rename ${at}`)
      const { id } = finishRecovery(home, begun.recovery)
      expect(readApprovers(home).map((one) => one.id)).toEqual([id])
      expect(loadApprover(home)?.approver.id).toBe(id)
      expect(readApprovers(home).some((one) => one.id === lost)).toBe(false)
      expect(existsSync(join(home.keys, 'approver.new.key'))).toBe(false)
      expect(begin(home, codes[0])).toMatchObject({ kind: 'wrong' })
    }
  })
})
