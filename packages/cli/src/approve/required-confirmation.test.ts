import { describe, expect, it } from 'vitest'
import { missingConfirmation } from './required-confirmation.ts'

const code = 'k7mp'

describe('the confirmation still needed for an approval on the command line', () => {
  it.each([
    ['one', {}, false, 'none'],
    ['two', {}, true, 'ask'],
    ['two', { yes: true }, true, 'none'],
    ['two', {}, false, 'refuse'],
    ['two', { yes: true }, false, 'refuse'],
    ['two', { code }, false, 'none'],
    ['two', { code: 'K7MP ' }, false, 'none'],
    ['two', { code: 'nope' }, true, 'refuse'],
    ['manual', {}, true, 'ask'],
    ['manual', { yes: true }, true, 'ask'],
    ['manual', { code }, true, 'ask'],
    ['manual', { code, reason: ' ' }, false, 'refuse'],
    ['manual', { reason: 'agreed' }, false, 'refuse'],
    ['manual', { code, reason: 'agreed' }, false, 'none'],
    ['manual', { code: 'nope', reason: 'agreed' }, false, 'refuse'],
  ] as const)('at %s with %j and a terminal: %s is %s', (act, given, terminal, kind) => {
    expect(missingConfirmation(act, { yes: false, ...given }, { terminal, code }).kind).toBe(kind)
  })

  it.each([
    ['one', {}, true, 'ask'],
    ['one', { reveal: true }, true, 'ask'],
    ['one', {}, false, 'refuse'],
    ['one', { reveal: true }, false, 'none'],
    ['two', { yes: true }, true, 'ask'],
    ['two', { code }, false, 'refuse'],
    ['two', { code, reveal: true }, false, 'none'],
    ['two', { reveal: true }, false, 'refuse'],
    ['manual', { code, reason: 'agreed' }, false, 'refuse'],
    ['manual', { code, reason: 'agreed', reveal: true }, false, 'none'],
  ] as const)('with hidden secrets, at %s with %j and a terminal: %s is %s (A14)', (act, given, terminal, kind) => {
    const missing = missingConfirmation(act, { yes: false, ...given }, { terminal, code, hidden: 1 })
    expect(missing.kind).toBe(kind)
    if (missing.kind === 'refuse' && !('reveal' in given)) expect(missing.message).toContain('--reveal')
  })
})
