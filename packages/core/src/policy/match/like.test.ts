import { describe, expect, it } from 'vitest'
import { freezeCall } from '../../call/freeze/freeze-call.ts'
import { decomposeCall } from '../../command/decompose-call.ts'
import { rateRisk } from '../../risk/rate-risk.ts'
import { unitsOf } from './call-unit.ts'
import { compileConditions } from './conditions.ts'
import { NO, UNKNOWN, YES } from './three-valued-logic.ts'

const PLACES = { workspace: '/srv/app', home: '/home/ann', gate: '/home/ann/.countersign', temp: '/tmp' }
const crypto = { sha256: (text: string | Uint8Array) => String(text) }

/** How `like` comes out for the last part of a command, in a rule that allows or one that denies. */
function answer(like: string, command: string, { tightens = false, args = {} } = {}): number {
  const freezing = { crypto, session: 's', cwd: '/srv/app', newId: () => 'id' } as never
  const call = freezeCall({ tool: 'run', args: { command, ...args } }, freezing)
  const resolved = new Map<string, string>()
  const risk = rateRisk(call, decomposeCall(call), { places: PLACES, resolved })
  const circumstances = { now: 0, places: PLACES, resolved, counters: {}, grants: [] }
  const unit = unitsOf(risk).at(-1)
  if (unit === undefined) throw new Error('no unit')
  const test = compileConditions({ command: { like, in: ['/srv/app'] } }, { tightens, negated: false })
  return test(unit, { call, risk, circumstances })
}

describe('`like`', () => {
  it.each([
    ['git push origin', 'git push origin dev', YES],
    ['git push origin', 'git push origin', YES],
    ['git push origin', 'git push upstream dev', NO],
    ['git push origin', 'git push --force origin dev', NO],
    ['git push origin', 'git push origin +dev:main', NO],
    ['git push origin', 'git pull origin dev', NO],
    ['git push --tags origin', 'git push --tags origin', YES],
    ['git push --tags origin', 'git push origin', NO],
    ['npm install', 'npm install left-pad', YES],
    ['npm install', 'npm install ./evil', NO],
    ['git push origin', 'git push origin $BRANCH', UNKNOWN],
    ['git push origin', 'GIT_SSH_COMMAND=./x git push origin dev', UNKNOWN],
    ['git push origin', 'git push origin dev > /etc/x', UNKNOWN],
    ['git push origin', 'git -C other push origin dev', NO],
    ['git push origin', 'cd other && git push origin dev', NO],
  ])('%s, for `%s`: %s', (like, command, expected) => {
    expect(answer(like, command)).toBe(expected)
  })

  it('denies a command behind variables or in a redirection, which it would not allow', () => {
    expect(answer('git push origin', 'A=b git push origin dev > x', { tightens: true })).toBe(YES)
    expect(answer('git push origin', 'git push origin dev', { args: { env: { A: 'b' } } })).toBe(UNKNOWN)
  })
})
