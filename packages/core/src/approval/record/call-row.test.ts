import { calmRisk } from '@countersign/testing/gate/harmless-risk'
import { describe, expect, it } from 'vitest'
import type { Call } from '../../call/call.ts'
import { freezeCall } from '../../call/freeze/freeze-call.ts'
import type { Judgement } from '../request/judgement.ts'
import { summarizeCall } from './call-row.ts'

const crypto = { sha256: () => '', keyedHash: () => 'f'.repeat(64) } as unknown as Parameters<typeof summarizeCall>[1]
const token = `ghp${'_'}${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`

function summary(call: Call): string {
  const frozen = freezeCall(call, { crypto, session: null, cwd: '/w', newId: () => 'id' })
  return summarizeCall({ call: frozen, risk: calmRisk() } as Judgement, crypto)
}

describe('the summary in a call’s row', () => {
  it.each<[Call, string]>([
    [{ tool: 'delete_file', args: { path: 'a' } }, 'Deletes `a`'],
    [{ tool: 'frobnicate', args: {} }, 'Calls `frobnicate`'],
    [{ tool: 'file_issue', args: { n: 2, title: 'VAT' } }, 'Calls `file_issue` with `title: VAT · n: 2`'],
    [{ tool: 'file_issue', args: { title: 'a`b' } }, 'Calls `file_issue` with ``title: a`b``'],
  ])('of %j is %j', (call, line) => {
    expect(summary(call)).toBe(line)
  })

  it('contains no secret and no long argument, and is short', () => {
    expect(summary({ tool: 'file_issue', args: { token, title: `see ${token}` } })).not.toContain(token)
    expect(summary({ tool: 'file_issue', args: { text: 'x'.repeat(401), n: 1 } })).toBe(
      'Calls `file_issue` with `n: 1`',
    )
    const many = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`a${at}`, 'y'.repeat(300)]))
    expect(summary({ tool: 'file_issue', args: many })).toMatch(/^.{1,220}…`$/)
  })
})
