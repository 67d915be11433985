import type { Engine } from './engine.ts'
import type { WorkCall, Workload, WorkRule } from './workload.ts'

/**
 * The literal-bucket floor, the minimum cost of a decision: rules by tool, memoised without limit, then by one literal
 * (folder, first word, equal value), native expressions, first match, and only the rule as the result.
 */
export function floorEngine({ rules, calls }: Workload): Engine {
  const exact = new Map<string, Test[]>()
  const servers = new Map<string, Test[]>()
  const any: Test[] = []
  for (const [order, rule] of rules.entries()) {
    const test = { order, rule, matches: testOf(rule) }
    if (rule.tool.kind === 'exact') put(exact, `${rule.tool.server}/${rule.tool.name}`, test)
    else if (rule.tool.kind === 'server') put(servers, rule.tool.server, test)
    else any.push(test)
  }
  const memo = new Map<string, Map<string, Buckets>>()
  const remember = ({ server, name }: WorkCall): Buckets => {
    const made = bucket([...(exact.get(`${server}/${name}`) ?? []), ...(servers.get(server) ?? []), ...any])
    const names = memo.get(server) ?? new Map<string, Buckets>()
    memo.set(server, names.set(name, made))
    return made
  }
  return {
    name: 'literal-bucket floor',
    decide: (at) => {
      const call = calls[at]
      return call ? decide(call, memo.get(call.server)?.get(call.name) ?? remember(call)) : null
    },
  }
}

interface Test {
  readonly order: number
  readonly rule: WorkRule
  readonly matches: (args: WorkCall['args']) => boolean
}

interface Buckets {
  readonly folders: Map<string, Test[]>
  readonly words: Map<string, Test[]>
  readonly values: Map<string, Test[]>
  readonly rest: Test[]
}

function decide(call: WorkCall, buckets: Buckets): string | null {
  const { args } = call
  let best = first(buckets.rest, args, null)
  const { path, command, env } = args
  if (typeof path === 'string') {
    for (let at = path.lastIndexOf('/'); at >= 0; at = at === 0 ? -1 : path.lastIndexOf('/', at - 1)) {
      const found = buckets.folders.get(path.slice(0, at + 1))
      if (found) best = first(found, args, best)
    }
  }
  if (typeof command === 'string') {
    const end = command.indexOf(' ')
    const found = buckets.words.get(end < 0 ? command : command.slice(0, end))
    if (found) best = first(found, args, best)
  }
  if (typeof env === 'string') {
    const found = buckets.values.get(env)
    if (found) best = first(found, args, best)
  }
  return best === null ? null : best.rule.id
}

function first(tests: readonly Test[], args: WorkCall['args'], best: Test | null): Test | null {
  let found = best
  for (const test of tests) if ((found === null || test.order < found.order) && test.matches(args)) found = test
  return found
}

function bucket(tests: readonly Test[]): Buckets {
  const buckets: Buckets = { folders: new Map(), words: new Map(), values: new Map(), rest: [] }
  for (const test of tests) {
    const wanted = test.rule.test
    if (wanted.kind === 'path') put(buckets.folders, wanted.folder, test)
    else if (wanted.kind === 'command') put(buckets.words, wanted.program, test)
    else if (wanted.kind === 'amount') put(buckets.values, wanted.env, test)
    else buckets.rest.push(test)
  }
  return buckets
}

function testOf({ test }: WorkRule): (args: WorkCall['args']) => boolean {
  if (test.kind === 'path') return ({ path }) => typeof path === 'string' && path.startsWith(test.folder)
  if (test.kind === 'amount')
    return ({ amount, env }) => typeof amount === 'number' && amount > test.above && env === test.env
  if (test.kind === 'none') return () => true
  const pattern = new RegExp(`^${test.program}\\s+${test.verb}\\b`)
  return ({ command }) => typeof command === 'string' && pattern.test(command)
}

function put(map: Map<string, Test[]>, key: string, test: Test): void {
  const tests = map.get(key)
  if (tests) tests.push(test)
  else map.set(key, [test])
}
