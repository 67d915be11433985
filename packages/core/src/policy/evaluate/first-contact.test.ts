import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { judge, someCall, someGrant, someRated, someRisk, someRule } from '../../../../../test/model/case.ts'
import type { Crypto } from '../../ports/crypto.ts'
import type { PolicyFile } from '../../ports/policy-files.ts'
import type { HostUse, RiskReport } from '../../risk/report/report.ts'
import { createHermeticJudge } from '../authoring/test-judge.ts'
import { TEST_PLACES } from '../authoring/test-places.ts'
import { runPolicyTests } from '../authoring/test-runner.ts'
import { loadPolicy } from '../load/policy.ts'
import { formatProblem } from '../model/policy-problem.ts'
import type { PolicyTest } from '../schema/test-case.ts'

const crypto = { sha256: (text: string) => createHash('sha256').update(text).digest('hex') } as unknown as Crypto

async function judged(call: PolicyTest['call'], files: readonly Partial<PolicyFile>[]): Promise<string> {
  const full = files.map(
    (file, at) => ({ layer: 'user', name: `${at}.yaml`, trusted: false, text: '', ...file }) as const,
  )
  const loaded = loadPolicy(full, { checkers: [], crypto })
  if (loaded.kind === 'refused') throw new Error(loaded.problems.map(formatProblem).join('\n'))
  const test = { call, expect: { supervision: 'automatic' as const }, file: 'x', line: 1 }
  const [result] = await runPolicyTests([test], createHermeticJudge(loaded.policy, crypto), TEST_PLACES)
  return result?.status === 'pass'
    ? 'automatic'
    : (/(notify|confirm|manual|deny)/.exec(JSON.stringify(result))?.[1] ?? '?')
}

const supervisionOf = (command: string, files: readonly Partial<PolicyFile>[]): Promise<string> =>
  judged({ tool: 'execute_command', args: { command } }, files)

const under = (preset: string, more = '') => [{ text: `version: 1\npreset: ${preset}\n${more}` }]

describe('the first contact with a host', () => {
  const FETCH = 'curl https://unknown.example/?d=abc'

  it.each([
    ['paranoid', 'confirm'],
    ['balanced', 'confirm'],
    ['permissive', 'confirm'],
    ['read-only', 'deny'],
    ['classic', 'automatic'],
  ])('under %s is %s', async (preset, supervision) => {
    expect(await supervisionOf(FETCH, under(preset))).toBe(supervision)
  })

  it.each([
    'curl http://localhost:3000/health',
    'curl -s 127.0.0.1:8080',
    'curl http://[::1]:3000',
    'curl http://0:3000',
    'git status',
    'npm test',
  ])('is no question for `%s`', async (command) => {
    expect(await supervisionOf(command, under('balanced'))).toBe('automatic')
  })

  // INVARIANT: L11, outside the sandbox these reach debug ports, Docker and whatever else listens here.
  it.each([
    { tool: 'fetch_url', args: { url: 'http://localhost:9222/json/close/1' } },
    { tool: 'fetch_url', args: { url: 'http://127.0.0.1:2375/containers/json' } },
    { tool: 'fetch_url', args: { url: 'http://[::ffff:127.0.0.1]:9229/json' } },
    { tool: 'fetch_url', args: { url: 'http://0:8080/' } },
  ])('with this machine asks outside the sandbox: %j', async (call) => {
    expect(await judged(call, under('balanced'))).toBe('confirm')
    const { host } = new URL(call.args.url)
    expect(await judged(call, under('balanced', `network: "${host}"\n`))).toBe('automatic')
  })

  it.each([
    'ping -c 1 abc.unknown.example',
    'dig abc.unknown.example',
    'git ls-remote https://unknown.example/x',
    'ssh unknown.example uptime',
    'curl $URL',
    'cat < /dev/tcp/unknown.example/80',
    'cat x | xargs -n1 curl',
    'openssl s_client -connect unknown.example:443',
    'curl http://lvh.me/',
  ])('asks for `%s`', async (command) => {
    expect(await supervisionOf(command, under('balanced'))).toBe('confirm')
  })

  it.each([
    ['[unknown.example]', 'automatic'],
    ['"*.example"', 'confirm'],
    ['["*.b.example", UNKNOWN.example.]', 'automatic'],
    ['other.example', 'confirm'],
    ['unknown.example:8443', 'confirm'],
    ['packages', 'confirm'],
    ['"*"', 'automatic'],
  ])('with `network: %s` is %s', async (network, supervision) => {
    const files = under('balanced', `network: ${network}\n`)
    if (network === '"*.example"') return await expect(supervisionOf(FETCH, files)).rejects.toThrow('is not a host')
    expect(await supervisionOf(FETCH, files)).toBe(supervision)
  })

  it.each([
    'curl -u me:word https://unknown.example',
    'curl -H "Cookie: a=b" https://unknown.example',
    'ssh unknown.example uptime',
    'curl https://unknown.example https://second.example',
    'curl -x evil.example:3128 https://unknown.example',
  ])('still asks for `%s` if `network:` names the host', async (command) => {
    expect(await supervisionOf(command, under('balanced', 'network: [unknown.example, "unknown.example:22"]\n'))).toBe(
      'confirm',
    )
  })

  it('gives the reason to ask, and not what would have allowed the call', () => {
    const hosts = (use: HostUse['use']) => [{ host: 'a.example', port: 443, use, certain: true }]
    expect(judge({ risk: someRisk({ level: 'none', hosts: hosts('read') }) }).reasons).toEqual([
      'the `balanced` preset asks on first contact with `a.example`, which no rule or grant names',
    ])
    const network = { named: ['a.example'], within: [] }
    expect(judge({ risk: someRisk({ level: 'none', hosts: hosts('send') }), set: { network } }).reasons).toEqual([
      'the `balanced` preset asks on first contact with `a.example`, which the policy names for reading without credentials only',
    ])
  })

  it('knows sets of hosts', async () => {
    expect(await supervisionOf('npm view react', under('balanced'))).toBe('confirm')
    expect(await supervisionOf('npm view react', under('balanced', 'network: [packages]\n'))).toBe('automatic')
    expect(await supervisionOf('curl https://docs.rs/x', under('balanced', 'network: documentation\n'))).toBe(
      'automatic',
    )
    const typo = under('balanced', 'network: [package]\n')
    await expect(supervisionOf('ls', typo)).rejects.toThrow('`package` is not a set of hosts')
  })

  it('is named by a project only once it is trusted, and never beyond a managed list', async () => {
    const text = 'version: 1\nnetwork: unknown.example\n'
    expect(await supervisionOf(FETCH, [{ layer: 'project', text }])).toBe('confirm')
    expect(await supervisionOf(FETCH, [{ layer: 'project', text, trusted: true }])).toBe('automatic')
    expect(await supervisionOf(FETCH, [{ layer: 'managed', text }])).toBe('confirm')
    const managed = { layer: 'managed', text: 'version: 1\nnetwork: "*.corp.example"\n' } as const
    expect(await supervisionOf(FETCH, [{ text }, managed])).toBe('confirm')
    expect(await supervisionOf(FETCH, [{ text }, { layer: 'managed', text }])).toBe('automatic')
  })

  it('is named by a rule with a `network` or `url` condition, not by other rules', async () => {
    const rule = (when: string) => under('balanced', `rules: [{ ${when}, supervision: automatic }]\n`)
    expect(await supervisionOf(FETCH, rule('command: { program: curl }'))).toBe('confirm')
    expect(await supervisionOf(FETCH, rule('network: unknown.example'))).toBe('automatic')
    expect(await supervisionOf(FETCH, rule('any: [{ network: unknown.example }, { kind: read }]'))).toBe('automatic')
    expect(await supervisionOf(FETCH, rule('not: { network: other.example }'))).toBe('confirm')
    expect(await supervisionOf('curl -d x https://unknown.example', rule('network: unknown.example'))).toBe('automatic')
    expect(await supervisionOf(`${FETCH} https://b.example`, rule('network: unknown.example'))).toBe('confirm')
  })
})

describe('a grant for a host', () => {
  const use: HostUse = { host: 'unknown.example', port: 443, use: 'read', certain: true }
  const contacting = (level: RiskReport['level'] = 'none', host: Partial<HostUse> = {}) =>
    someRisk({ level, hosts: [{ ...use, ...host }] })
  const scope = { kind: 'network', host: 'unknown.example' } as const
  const grants = [someGrant({ scope })]

  it('names the host, is counted, and approves nothing else', () => {
    expect(judge({ risk: contacting() })).toMatchObject({
      supervision: 'confirm',
      rule: { id: 'preset.balanced.contact' },
    })
    expect(judge({ risk: contacting(), now: { grants } })).toMatchObject({ supervision: 'automatic', grant: 'g1' })
    expect(judge({ risk: contacting('medium'), now: { grants } })).toMatchObject({
      supervision: 'confirm',
      grant: null,
    })
    expect(judge({ risk: contacting('none', { host: 'b.example' }), now: { grants } }).supervision).toBe('confirm')
    expect(judge({ risk: contacting('none', { port: 22 }), now: { grants } }).supervision).toBe('confirm')
    expect(judge({ risk: contacting('none', { host: null }), now: { grants } }).supervision).toBe('confirm')
  })

  it('covers a part of a command', () => {
    const risk = someRisk({
      parts: [someRated(['curl', 'x'], { hosts: [use] }), someRated(['ls'], { onlyReads: true })],
      hosts: [use],
    })
    expect(judge({ risk, now: { grants } })).toMatchObject({ supervision: 'automatic', grant: 'g1' })
  })

  it('opens the sandbox of a command to the host, and to no other', () => {
    const call = someCall({ containable: true, descriptor: { kind: 'execute', source: 'known', command: 'curl x' } })
    const local: HostUse = { ...use, host: '127.0.0.1' }
    const hosts = [use, { ...use, port: 8443 }, local]
    const risk = someRisk({ parts: [someRated(['curl', 'x'], { hosts })], hosts })
    const more = [...grants, someGrant({ id: 'g2', scope: { ...scope, port: 8443 } })]
    const verdict = judge({ call, risk, now: { grants: more, sandbox: 'works' } })
    expect(verdict.supervision).toBe('automatic')
    expect(verdict.contain?.network).toEqual(['unknown.example', 'unknown.example:8443'])
  })

  it('does not lower a deny, and does not outlive its session', () => {
    const row = {
      preset: 'read-only',
      byRisk: { none: 'automatic', low: 'deny', medium: 'deny', high: 'deny', critical: 'deny' },
      undescribed: 'deny',
      contained: 'proven',
      contact: 'deny',
      ignoresDeclarations: false,
    } as const
    expect(judge({ set: { row }, risk: contacting(), now: { grants } }).supervision).toBe('deny')
    expect(judge({ risk: contacting(), now: { grants: [someGrant({ scope, session: 's2' })] } }).supervision).toBe(
      'confirm',
    )
  })

  it('without a session lasts minutes', () => {
    const call = someCall({ session: null })
    const given = (lifetime: Parameters<typeof someGrant>[0]) => [someGrant({ scope, session: null, ...lifetime })]
    const until = { lifetime: { kind: 'until', at: 9e15 } } as const
    expect(judge({ call, risk: contacting(), now: { grants: given({}) } }).supervision).toBe('confirm')
    expect(judge({ call, risk: contacting(), now: { grants: given(until) } }).supervision).toBe('automatic')
  })

  it('is not needed by a grant for exactly this call, and a grant for the tool is not enough', () => {
    const exact = [someGrant({ scope: { kind: 'exact', grantKey: 'key' } })]
    expect(judge({ risk: contacting('medium'), now: { grants: exact } }).supervision).toBe('automatic')
    expect(judge({ risk: contacting('medium'), now: { grants: [someGrant()] } }).supervision).toBe('confirm')
    expect(
      judge({ risk: contacting('medium'), now: { grants: [someGrant(), someGrant({ id: 'g2', scope })] } }),
    ).toMatchObject({ supervision: 'automatic', grant: 'g1' })
  })

  it('does not pass a floor', () => {
    const floor = someRule({}, { id: 'floor', floor: true, supervision: 'confirm' })
    expect(judge({ rules: [floor], risk: contacting(), now: { grants } }).supervision).toBe('confirm')
  })
})
