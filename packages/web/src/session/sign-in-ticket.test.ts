import { describe, expect, it } from 'vitest'
import { ticketIn } from './sign-in-ticket.ts'

const TICKET = 'q3J0kZ_v7-Ya1bC2dE4fG5hI6jK8lM9n'

describe('the ticket in pasted text', () => {
  it.each([
    ['the link', `http://localhost:4180/#ticket=${TICKET}`],
    ['the link with surrounding whitespace', `  http://localhost:4180/#ticket=${TICKET}\n`],
    ['a link with the ticket in its query', `https://inbox.example/sign-in?ticket=${TICKET}`],
    ['the fragment', `#ticket=${TICKET}`],
    ['the ticket alone', TICKET],
  ])('is found in %s', (_, text) => {
    expect(ticketIn(text)).toBe(TICKET)
  })

  it.each(['', 'http://localhost:4180/', 'countersign inbox', 'http://localhost:4180/#signed-out', 'abc'])(
    'is not found in `%s`',
    (text) => {
      expect(ticketIn(text)).toBeNull()
    },
  )
})
