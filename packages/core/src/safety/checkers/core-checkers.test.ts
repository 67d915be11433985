import { describe, expect, it } from 'vitest'
import { circumstancesAt, someCall, somePart, someRated, someRisk } from '../../../../../test/model/case.ts'
import type { Backups, Measured } from '../../ports/backups.ts'
import type { PathUse, RiskReport } from '../../risk/report/report.ts'
import { changedTargets } from '../changed-targets.ts'
import type { CheckAnswer, Checker, CheckInput } from '../checker.ts'
import { backupChecker } from './backup.ts'
import { boundaryChecker } from './boundary.ts'
import { commandChecker } from './command.ts'
import { programChecker } from './external-program.ts'

const { places } = circumstancesAt()
const path = (given: string, use: PathUse['use'], real: string | null = given): PathUse => ({ given, real, use })

function inputOf(risk: Partial<RiskReport>, call: Parameters<typeof someCall>[0] = {}, settings = {}): CheckInput {
  return { call: someCall(call), risk: someRisk(risk), places, settings }
}

async function ask(checker: Checker, input: CheckInput): Promise<CheckAnswer> {
  return checker.check(input, new AbortController().signal)
}

describe('the check `boundary`', () => {
  const said = async (paths: readonly PathUse[], more: Partial<RiskReport> = {}, settings = {}) =>
    (await ask(boundaryChecker, inputOf({ paths, ...more }, {}, settings))).status

  it('passes changes inside the folder, fails changes outside, warns of reads outside', async () => {
    expect(await said([path('/srv/app/a', 'write'), path('/srv/app', 'read')])).toBe('pass')
    expect(await said([path('/srv/app-secrets/a', 'write')])).toBe('fail')
    expect(await said([path('/etc/hosts', 'read')])).toBe('warn')
    expect(await said([path('/dev/null', 'write'), path('/usr/bin/git', 'execute')])).toBe('skip')
  })

  it('resolves links, and treats unknown paths as outside', async () => {
    expect(await said([path('/srv/app/link', 'write', '/etc/hosts')])).toBe('fail')
    expect(await said([path('$X', 'write', null)])).toBe('fail')
    expect(await said([{ ...path('*.log', 'delete', null), within: '/srv/app' }])).toBe('pass')
    expect(await said([], { understood: false })).toBe('fail')
  })

  it('also checks the commands in the files that a command runs', async () => {
    const command = somePart(['rm', 'x'], { origin: { file: 'clean.sh', line: 2 } })
    const runs = (paths: readonly PathUse[]) => said([], { parts: [someRated([], { command, paths })] })
    expect(await runs([path('/srv/other', 'delete')])).toBe('fail')
    expect(await runs([path('/srv/app/dist', 'delete')])).toBe('pass')
  })

  it('accepts other folders if a rule names them', async () => {
    const settings = { boundary: { also: [`\${temp}`, '~/shared'] } }
    expect(await said([path('/tmp/x', 'write'), path('/home/ann/shared/y', 'write')], {}, settings)).toBe('pass')
    expect(await said([path('/tmp/x', 'write')])).toBe('fail')
  })
})

describe('the check `command`', () => {
  const there = new Set(['git', 'grep', 'bash'])
  const checker = commandChecker({ program: async (name) => (there.has(name) ? `/usr/bin/${name}` : undefined) })
  const said = async (command: string) =>
    (await ask(checker, inputOf({}, { descriptor: { kind: 'execute', source: 'known', command } }))).status

  it.each([
    ['git status | grep x', 'pass'],
    ['cd src && echo done', 'pass'],
    ['gti status', 'fail'],
    ['git status; nosuchprogram', 'fail'],
    ["echo 'unbalanced", 'fail'],
    ['$TOOL --version', 'warn'],
  ])('for `%s` returns %s', async (command, status) => {
    expect(await said(command)).toBe(status)
  })

  it('skips a call without a command', async () => {
    expect(await ask(checker, inputOf({}))).toMatchObject({ status: 'skip' })
  })
})

describe('the check `backup`', () => {
  const backups = (measured: Measured): Backups => ({
    measure: async () => measured,
    keep: () => Promise.reject(new Error('a check has no effect')),
    readText: async () => undefined,
    note: () => Promise.reject(new Error('a check has no effect')),
  })
  const possible = { kind: 'possible', files: 3, bytes: 12_345, absent: 1 } as const
  const say = (risk: Partial<RiskReport>, measured: Measured = possible, call = {}) =>
    ask(backupChecker(backups(measured)), inputOf(risk, call))

  it('names the files it will copy', async () => {
    expect(await say({ paths: [path('/srv/app/a', 'write')] })).toMatchObject({
      status: 'pass',
      message: 'a copy of 3 files, 12 KB, will be made, and 1 new name noted',
    })
  })

  it.each<[string, Partial<RiskReport>, Measured, object]>([
    ['no copy is possible', { paths: [path('/a', 'write')] }, { kind: 'impossible', why: 'too large' }, {}],
    ['the file is unknown', { paths: [path('*.log', 'delete', null)] }, possible, {}],
    ['a write names no file', {}, possible, {}],
    ['the command was not understood', { paths: [path('/a', 'write')], understood: false }, possible, {}],
  ])('asks a person if %s', async (_, risk, measured, call) => {
    expect(await say(risk, measured, call)).toMatchObject({ status: 'fail', overridable: true })
  })

  it('has nothing to copy if a command names no file', async () => {
    const call = { descriptor: { kind: 'execute', source: 'known', command: 'make' } }
    expect(await say({ paths: [path('/srv/app/a', 'read')] }, possible, call)).toMatchObject({ status: 'skip' })
  })
})

describe('the changes of a call', () => {
  it('are listed per part, with the path as written and its folder', () => {
    const gone = path('b', 'delete', '/srv/app/src/b')
    const made = path('c', 'write', '/srv/app/src/c')
    const risk = {
      parts: [{ ...someRated(['rm']), command: somePart(['rm', 'b'], { cwd: 'src' }), paths: [gone, made] }],
      paths: [gone, made, path('/dev/null', 'write'), path('$X', 'write', null)],
    }
    expect(changedTargets(inputOf(risk))).toEqual({
      known: [
        { real: '/srv/app/src/b', use: 'delete', entry: { given: 'b', cwd: '/srv/app/src' } },
        { real: '/srv/app/src/c', use: 'write', entry: { given: 'c', cwd: '/srv/app/src' } },
      ],
      unknown: ['$X'],
    })
  })

  it('are listed by path: two links to one file are two entries', () => {
    const real = '/srv/app/real'
    const risk = { paths: [path('one', 'delete', real), path('two', 'delete', real), path('real', 'write', real)] }
    expect(changedTargets(inputOf(risk)).known.map(({ entry }) => entry?.given)).toEqual(['one', 'two', 'real'])
  })
})

describe('an external checker', () => {
  const program = {
    name: 'ticket',
    run: ['/opt/ticket'],
    timeoutMs: null,
    file: 'p.yaml',
    line: 1,
    trusted: true,
  } as const
  const eyes = {
    resolve: async (given: string) => (given === '/opt/linked' ? '/srv/app/check' : given.replace(/^~\//, '/srv/app/')),
  }
  const answering = (text: string, given: string[] = []) =>
    programChecker(
      program,
      {
        answer: async (_, input) => {
          given.push(input)
          return text
        },
      },
      eyes,
    )

  it('receives the call and its risk as one JSON object, and answers with one', async () => {
    const given: string[] = []
    const answer = await ask(
      answering('{"status":"warn","message":"hm"}\n', given),
      inputOf({ level: 'high' }, { args: { n: 1 } }),
    )
    expect(answer).toEqual({ status: 'warn', message: 'hm' })
    expect(JSON.parse(given[0] ?? '')).toMatchObject({
      version: 1,
      checker: 'ticket',
      call: { args: { n: 1 }, tool: { name: 'write_file' }, does: { kind: 'write' } },
      risk: { level: 'high' },
      places: { workspace: '/srv/app' },
    })
  })

  it.each(['', 'nonsense', '[]', 'null', '"pass"', '{"status":"pass","message":"a"}{"status":"pass"}', '{"ok":true}'])(
    'fails with the answer %s',
    async (text) => {
      await expect(ask(answering(text), inputOf({}))).rejects.toThrow(/not a JSON object|unknown field/)
    },
  )

  it('does not run for an untrusted project', async () => {
    const never = { answer: () => Promise.reject(new Error('it ran')) }
    expect(await ask(programChecker({ ...program, trusted: false }, never, eyes), inputOf({}))).toMatchObject({
      status: 'fail',
      overridable: true,
      message: expect.stringContaining('not trusted'),
    })
  })

  it.each([
    ['/srv/app/check'],
    ['python3', '/srv/app/check.py'],
    ['~/check'],
    ['/opt/linked'],
    [`${places.temp}/check`],
    ['x', '--rules=~/rules'],
  ])('does not run from a folder an agent can write to: %s', async (...run) => {
    const never = { answer: () => Promise.reject(new Error('it ran')) }
    const inside = { ...program, run: run as [string, ...string[]] }
    await expect(ask(programChecker(inside, never, eyes), inputOf({}))).rejects.toThrow('an agent could change it')
  })
})
