import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { openHome } from '../home/home.ts'
import { makeEnrolmentCode, spendEnrolmentCode } from './enrolment-code.ts'

const newHome = () => openHome(join(temporaryFolder(), 'home'))
const refused = expect.objectContaining({ code: 'CS_SIGN_IN' })

describe('an enrolment code', () => {
  it('can be used once, however it is typed', () => {
    const home = newHome()
    const code = makeEnrolmentCode(home, 0)
    expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/)
    spendEnrolmentCode(home, ` ${code.toUpperCase().replace('-', ' ')} `, 1)
    expect(() => spendEnrolmentCode(home, code, 1)).toThrow(refused)
  })

  it('expires after ten minutes, after five wrong attempts, and when a new one is made', () => {
    const home = newHome()
    const late = makeEnrolmentCode(home, 0)
    expect(() => spendEnrolmentCode(home, late, 600_000)).toThrow(refused)
    const tried = makeEnrolmentCode(home, 0)
    for (let n = 0; n < 5; n += 1) expect(() => spendEnrolmentCode(home, 'wrong', 1)).toThrow(refused)
    expect(() => spendEnrolmentCode(home, tried, 1)).toThrow(refused)
    const [first, second] = [makeEnrolmentCode(home, 0), makeEnrolmentCode(home, 0)]
    expect(() => spendEnrolmentCode(home, first, 1)).toThrow(refused)
    spendEnrolmentCode(home, second, 1)
  })

  it('is not stored in plain text, and a damaged file admits nobody', () => {
    const home = newHome()
    const code = makeEnrolmentCode(home, 0)
    expect(readFileSync(home.enrolment, 'utf8')).not.toContain(code.replace('-', ''))
    expect(statSync(home.enrolment).mode & 0o777).toBe(0o600)
    for (const text of ['', 'nonsense', '{}', '{"hash":1}']) {
      writeFileSync(home.enrolment, text, { mode: 0o600 })
      expect(() => spendEnrolmentCode(home, code, 1)).toThrow(refused)
    }
  })
})
