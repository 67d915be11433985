import { expect, it } from 'vitest'
import { testErrors, typeErrors } from '../../support/check-types.ts'

it.each(['nodenext', 'bundler'] as const)('types of tools and options are kept, under %s', async (resolution) => {
  expect(await typeErrors(import.meta.dirname, ['types.ts'], resolution)).toBe('')
})

it('these tests use the types of the SDK', async () => {
  expect(await testErrors(import.meta.dirname)).toBe('')
})
