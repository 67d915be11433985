import { openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OUTCOMES, type Refusal, refusal } from './outcome.ts'
import { refusalText } from './refusal-text.ts'

const POLICY = `version: 1
rules:
  - { id: no-wipes, command: { program: rm, flags: [-r] }, supervision: deny, reason: use the archive script }
`

let world: World
beforeEach(async () => {
  world = await openWorld({ policy: POLICY })
})
afterEach(() => world.close())

const shell = (command: string) => ({ tool: 'execute_command', args: { command }, source: 'builtin' as const })

describe('the refusal that an agent reads', () => {
  it('names risk, part, rule and what to do instead', async () => {
    const refused = await world.gate.run(shell('git status; rm -rf /'), () => 'ran')
    const text = refusalText(refused as Refusal)
    expect(text).toMatch(/^NOT EXECUTED \(denied\): policy rule `no-wipes` denies this call/)
    expect(text).toContain('use the archive script')
    expect(text).toMatch(/Risk: critical in `rm -rf \/`: /)
    expect(text).toContain('Reach the goal in a way that the rule allows')
    expect(text).toMatch(/Do not retry this call unchanged\.$/)
  })

  it('quotes the person who rejected, and names the rule that asked', async () => {
    const asked = world.gate.run({ tool: 'send_email', args: { to: 'all@example.com' } }, () => 'ran')
    const [view] = await world.held()
    if (view === undefined) throw new Error('it was not held')
    await world.decide(view, { kind: 'reject', reason: 'ask Kim first' })
    const text = refusalText((await asked) as Refusal)
    expect(text).toContain('The person said: “ask Kim first”.')
    expect(text).toContain(`Rule: ${view.verdict.rule.id}`)
    expect(text).toContain('Follow what the person said')
  })

  it('shows no secret, and stays short', async () => {
    const key = `sk-ant-api03-${'Ab3dEf6hIj'.repeat(9)}AA`
    const refused = await world.gate.run(shell(`echo ok; rm -rf "/srv/${key}/${'x'.repeat(5000)}"`), () => 'ran')
    const text = refusalText(refused as Refusal)
    expect(text).not.toContain(key)
    expect(text.length).toBeLessThan(1500)
  })

  it.each(OUTCOMES.filter((one) => !['completed', 'failed', 'released'].includes(one)))(
    'has advice for a call that is %s',
    (outcome) => {
      const text = refusalText(refusal('c1', outcome as Refusal['outcome'], 'CS_DENIED', 'it is so'))
      expect(text).toMatch(/^NOT EXECUTED \(\w+\): it is so\. [A-Z].+\.$/)
    },
  )
})
