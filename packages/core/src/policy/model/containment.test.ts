import { expect, it } from 'vitest'
import { type Bounds, containmentText } from './containment.ts'

const LEAST: Bounds = { workspace: 'read', write: [], read: [], network: [], credentials: [] }

it.each<readonly [Partial<Bounds>, string]>([
  [{}, 'can change nothing; no network'],
  [{ workspace: 'write' }, 'can change only the workspace; no network'],
  [{ workspace: 'write', write: ['/a', '/b'] }, 'can change only the workspace, /a, /b; no network'],
  [{ write: ['/a'], read: ['/c'] }, 'can change only /a; can also read /c; no network'],
  [{ network: ['a.example', '*.b.example:8443'] }, 'can change nothing; can reach a.example, *.b.example:8443'],
  [{ credentials: ['git'] }, 'can change nothing; no network; can read credentials: git'],
])('bounds %j in words', (bounds, words) => {
  expect(containmentText({ ...LEAST, ...bounds })).toBe(`in the sandbox: ${words}`)
})

it('a command outside the sandbox, and a call that is no command', () => {
  expect(containmentText(null)).toBe('outside the sandbox')
  expect(containmentText(undefined)).toBeNull()
})
