import { describe, expect, it } from 'vitest'
import { ticketIn } from './sign-in-ticket.ts'

const TICKET = 'q3J0kZ_v7-Ya1bC2dE4fG5hI6jK8lM9n'

describe('what a person pasted to sign in', () => {
  it.each([
    ['the address', `http://localhost:4180/#ticket=${TICKET}`],
    ['the address, as a line that was copied', `  http://localhost:4180/#ticket=${TICKET}\n`],
    ['an address whose ticket is no fragment', `https://inbox.example/sign-in?ticket=${TICKET}`],
    ['its end', `#ticket=${TICKET}`],
    ['the ticket alone', TICKET],
  ])('gives the ticket of %s', (_, text) => {
    expect(ticketIn(text)).toBe(TICKET)
  })

  it.each(['', 'http://localhost:4180/', 'countersign inbox', 'http://localhost:4180/#signed-out', 'abc'])(
    'gives none of `%s`',
    (text) => {
      expect(ticketIn(text)).toBeNull()
    },
  )
})
