import { expect, it } from 'vitest'
import { acceptanceMessage } from './quarantine.ts'

it('signs the same bytes on every surface and in every version: signed pins stay valid', () => {
  const claim = { server: 'b', label: 'github', hash: 'c', name: 'create "issue"', at: 7, approver: 'a' }
  expect(acceptanceMessage(claim)).toBe(
    'countersign/mcp-accept/v1\n{"approver":"a","at":7,"hash":"c","label":"github","name":"create \\"issue\\"","server":"b"}',
  )
})

it('leaves out fields that are not part of the claim, such as the signature', () => {
  const claim = { server: 'b', label: 'l', hash: 'c', name: 'n', at: 7, approver: 'a' }
  expect(acceptanceMessage({ ...claim, signature: 'x' } as typeof claim)).toBe(acceptanceMessage(claim))
})
