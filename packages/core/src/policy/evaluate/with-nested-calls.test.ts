import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../call/json/json.ts'
import type { Crypto } from '../../ports/crypto.ts'
import { createHermeticJudge } from '../authoring/test-judge.ts'
import { loadPolicy } from '../load/policy.ts'
import type { PolicyTest } from '../schema/test-case.ts'

const crypto = { sha256: (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex') } as Crypto

function judgeOf(rules: string) {
  const text = `version: 1\nrules:\n${rules}`
  const files = [{ layer: 'user', name: 'policy.yaml', text, trusted: false } as const]
  const loaded = loadPolicy(files, { checkers: [], crypto, defaultPreset: 'balanced' })
  if (loaded.kind === 'refused') throw new Error(loaded.problems[0]?.message)
  const judge = createHermeticJudge(loaded.policy, crypto)
  return (tool: string, args: JsonObject) =>
    judge({ tool, server: 's', args: args as PolicyTest['call']['args'] }, null)
}

const RUNS = '  - { id: runs, tool: "s/*", supervision: automatic, up_to: critical, contain: false }\n'

/** Sixty spellings of one key. */
const keys = (key: string, value: Json): JsonObject =>
  Object.fromEntries([...Array(60)].map((_, at) => [`${key}${'_'.repeat(at)}`, value]))
const shell = (at: number, parts: number): JsonObject => ({
  command: `echo ${at}; ${'git push && ls / ; '.repeat(parts)}`,
})
const openai = (at: number): JsonObject => ({
  id: `call_${at}`,
  type: 'function',
  function: { name: 'get', arguments: '{}' },
})
const nested = (depth: number): JsonObject =>
  depth === 0 ? { name: 'get_note' } : { name: 'invoke_tool', arguments: nested(depth - 1) }

describe('a call that makes other calls', () => {
  const judge = judgeOf(`${RUNS}  - { id: never, tool: "s/delete_all", supervision: deny }\n`)

  it.each<[string, string, JsonObject]>([
    ['named with its arguments', 'invoke_tool', { name: 'delete_all', arguments: {} }],
    ['named by its id (scenario 57)', 'invoke_tool', { id: 'delete_all', args: {} }],
    ['named as an action', 'call_tool', { action: 'delete_all', params: {} }],
    ['with arguments as JSON text', 'invoke_tool', { tool_name: 'delete_all', arguments: '{}' }],
    ['without arguments', 'invoke_tool', { tool: 'delete_all' }],
    ['by name only', 'invoke_tool', { name: 'delete_all' }],
    ['with null arguments', 'invoke_tool', { name: 'delete_all', arguments: null }],
    ['with an empty list of arguments', 'invoke_tool', { name: 'delete_all', args: [] }],
    ['with unreadable arguments', 'invoke_tool', { tool: 'delete_all', arguments: '{' }],
    ['as an object', 'invoke_tool', { tool: { name: 'delete_all' } }],
    ['as an MCP request', 'invoke_tool', { request: { method: 'tools/call', params: { name: 'delete_all' } } }],
    ['inside another call, by name only', 'invoke_tool', { name: 'invoke_tool', arguments: { name: 'delete_all' } }],
    ['in upper case', 'invoke_tool', { tool: 'DELETE_ALL', args: {} }],
    ['with its server', 'invoke_tool', { server: 's', tool: 'delete_all', args: {} }],
    ['with its server in the name', 'invoke_tool', { tool: 's/delete_all', args: {} }],
    ['with its server in the host’s format', 'invoke_tool', { tool: 'mcp__s__delete_all', args: {} }],
    [
      'as one of several calls',
      'batch',
      {
        calls: [
          { tool: 'get_note', args: {} },
          { tool: 'delete_all', args: {} },
        ],
      },
    ],
    [
      'inside another nested call',
      'invoke_tool',
      { name: 'invoke_tool', arguments: { name: 'delete_all', arguments: {} } },
    ],
    ['after another name', 'batch', { tool: 'get_note', calls: [{ name: 'delete_all', arguments: {} }] }],
    ['next to another name', 'invoke_tool', { name: 'delete_all', tool: 'get_note', arguments: {} }],
    ['under another spelling of the key', 'invoke_tool', { tool_name: 'get_note', toolName: 'delete_all' }],
    ['by id, next to a name', 'invoke_tool', { tool: 'get_note', id: 'delete_all', args: {} }],
    [
      'in the arguments of another call',
      'batch',
      { tool: 'get_note', params: [{ name: 'delete_all', arguments: {} }] },
    ],
    ['in one of several arguments', 'invoke_tool', { tool: 'get_note', args: {}, input: { tool: 'delete_all' } }],
    ['next to an unknown server', 'invoke_tool', { server: 'x', server_name: 's', tool: 'delete_all' }],
    ['with an unknown server', 'invoke_tool', { server: 'x', tool: 'delete_all', args: {} }],
    [
      'with an unknown server, inside another call',
      'batch',
      { server: 'x', tool: 'call', args: { tool: 'delete_all' } },
    ],
    ['in a list of names', 'invoke_tool', { tools: ['get_note', 'delete_all'] }],
    [
      'with more arguments than the limit',
      'invoke_tool',
      { ...keys('tool', 'delete_all'), args: { x: Array(999).fill(0) } },
    ],
    ['by its slug', 'execute_tool', { tool_slug: 'delete_all', arguments: {} }],
    ['by its path', 'run', { tool_path: 's/delete_all' }],
    ['as the name of an action', 'execute_action', { action_name: 'delete_all', body: {} }],
    ['by name, in a tool that runs others', 'mcp-exec', { name: 'delete_all' }],
    ['with surrounding spaces', 'invoke_tool', { name: ' delete_all ', arguments: {} }],
    ['in a list as JSON text', 'batch', { calls: '[{"name":"delete_all","arguments":{}}]' }],
    ['in JSON text inside JSON text', 'batch', { calls: JSON.stringify([JSON.stringify({ tool: 'delete_all' })]) }],
    ['by name only, in a list', 'batch', { calls: [{ name: 'delete_all' }] }],
    ['by name only, as a function', 'parallel', { tool_calls: [{ function: { name: 'delete_all' } }] }],
    ['as a list of names', 'batch', { calls: ['get_note', 'delete_all'] }],
    ['with a list as arguments', 'batch', { calls: [{ name: 'delete_all', arguments: ['x'] }] }],
    ['as a method with a list of parameters', 'rpc_call', { method: 'delete_all', params: ['x'] }],
    ['as a method in a list', 'batch', { calls: [{ method: 'delete_all', params: {} }] }],
    ['as an object with separate arguments', 'batch', { calls: [{ tool: { name: 'delete_all' }, args: {} }] }],
    ['after a byte order mark', 'batch', { calls: '\ufeff[{"tool":"delete_all"}]' }],
    [
      'in JSON text that is encoded twice',
      'batch',
      { calls: JSON.stringify(JSON.stringify([{ tool: 'delete_all' }])) },
    ],
    ['after a prefix', 'invoke_tool', { tool: 'default_api.delete_all' }],
    ['after several prefixes', 'invoke_tool', { tool: 'functions:x.s.delete_all' }],
    ['in call syntax', 'invoke_tool', { tool: 'delete_all()' }],
    ['as a function', 'parallel', { tool_calls: [{ function: { name: 'delete_all', arguments: '{}' } }] }],
  ])('is denied if its nested call is denied: %s', async (_, tool, args) => {
    expect(await judge(tool, args)).toMatchObject({ supervision: 'deny', rule: 'never' })
  })

  it('runs if no stricter rule matches the nested call', async () => {
    expect(await judge('invoke_tool', { name: 'get_note', arguments: {} })).toMatchObject({
      supervision: 'automatic',
      rule: 'runs',
    })
  })

  it.each([
    ['a floor', '  - { id: more, tool: "s/pay", supervision: manual, floor: true }\n', 'manual'],
    ['a confirm rule', '  - { id: more, tool: "s/pay", supervision: confirm }\n', 'confirm'],
    [
      'a rule on arguments',
      '  - { id: more, tool: "s/pay", args: { amount: { above: 10 } }, supervision: confirm }\n',
      'confirm',
    ],
  ])('is held by %s for the nested call', async (_, rule, supervision) => {
    const judge = judgeOf(RUNS + rule)
    const pays = { calls: [{ tool: 'pay', args: { amount: 20 } }] }
    expect(await judge('batch', pays)).toMatchObject({ supervision, rule: 'more' })
  })

  it('is not loosened by a rule for the nested call', async () => {
    const judge = judgeOf(
      '  - { id: outer, tool: "s/batch", supervision: manual }\n  - { id: inner, tool: "s/pay", supervision: automatic, up_to: critical }\n',
    )
    expect(await judge('batch', { calls: [{ tool: 'pay', args: {} }] })).toMatchObject({
      supervision: 'manual',
      rule: 'outer',
    })
  })

  it.each<[string, string, JsonObject]>([
    ['more calls', 'batch', { calls: [...Array(70)].map(() => ({ tool: 'get_note' })) }],
    ['more names and arguments', 'invoke_tool', { ...keys('tool', 'x'), ...keys('args', {}) }],
    ['deeper calls', 'invoke_tool', nested(6)],
    ['more objects', 'batch', { calls: JSON.stringify([...Array(20_001)].map(() => ({}))) }],
    ['more text', 'batch', { calls: `[${' '.repeat(300_000)}]` }],
    ['longer commands', 'batch', { calls: [...Array(60)].map((_, at) => ({ tool: 'bash', args: shell(at, 500) })) }],
    [
      'longer commands, next to names,',
      'batch',
      { calls: [...Array(60)].map((_, at) => ({ tool: 'sh', ...shell(at, 500) })) },
    ],
    ['one command for more names', 'invoke_tool', { ...keys('tool', 'bash'), args: shell(0, 1300) }],
  ])('is held if it makes %s than the limit of analysis', async (_, tool, args) => {
    expect(await judge(tool, args)).toMatchObject({ supervision: 'manual', rule: 'builtin.inner-calls' })
  })

  it.each<[string, JsonObject]>([
    ['scripts', { tool: 'bash', args: shell(0, 300) }],
    ['texts', { calls: [...Array(10)].map((_, at) => ({ tool: 'put', args: { at, text: 'a line\n'.repeat(3000) } })) }],
    ['commands', { calls: [...Array(20)].map((_, at) => ({ tool: 'bash', args: shell(at, 5) })) }],
  ])('is analysed completely if it contains everyday %s', async (_, args) => {
    expect(await judge('batch', args)).toMatchObject({ rule: 'runs' })
  })

  it('is rated high if it exceeds the work allowed per call', async () => {
    const texts = [...Array(60)].map(() => ({ tool: 'get_note', args: { text: 'a '.repeat(8000) } }))
    expect(await judge('batch', { calls: texts })).toMatchObject({ risk: 'high', supervision: 'manual' })
  })

  it('keeps the effect of a risk rule on a nested batch', async () => {
    const rule = '  - { id: never, tool: "s/pipeline", risk: { at_least: critical }, supervision: deny }\n'
    const steps = (command: string) => ({ tool: 'pipeline', args: { steps: [{ tool: 'bash', args: { command } }] } })
    expect(await judgeOf(RUNS + rule)('batch', { calls: [steps('rm -rf /')] })).toMatchObject({ rule: 'never' })
    expect(await judgeOf(RUNS + rule)('batch', { calls: [steps('ls')] })).toMatchObject({ rule: 'runs' })
  })

  const prod = '  - { id: never, tool: "s/query", args: { database: { equals: prod } }, supervision: deny }\n'
  const drop = '  - { id: never, tool: "s/drop", args: { name: { equals: prod } }, supervision: deny }\n'

  it.each<[string, string, JsonObject]>([
    ['text that is not JSON', 'invoke_tool', { tool: 'query', args: '{database:"prod"}' }],
    ['text that is not JSON, in a batch', 'batch', { calls: [{ name: 'query', arguments: '{database:"prod"}' }] }],
    ['double-encoded JSON', 'invoke_tool', { tool: 'query', args: JSON.stringify('{"database":"prod"}') }],
    ['a list', 'invoke_tool', { tool: 'query', args: [{ database: 'prod' }] }],
    ['a list as JSON text', 'invoke_tool', { tool: 'query', args: '[{"database":"prod"}]' }],
    ['text for a batch', 'invoke_tool', { tool: 'batch', args: "[{'query':1}]" }],
    ['text with calls', 'invoke_tool', { tool: 'helper', args: "{calls:[{tool:'query'}]}" }],
    ['text with a call', 'batch', { calls: [{ tool: 'do', args: "{'name':'query','arguments':{}}" }] }],
    ['text with a method', 'invoke_tool', { tool: 'do', args: "{'method':'query','params':{}}" }],
    ['a text of calls that is not JSON', 'batch', { calls: "[{'tool':'query'}]" }],
    ['a text of calls, one per line', 'batch', { calls: '{"tool":"query"}\n{"tool":"query"}' }],
    ['a text with a call that is not JSON', 'invoke_tool', { request: "{'name':'query','arguments':{}}" }],
    ['text with one key per line', 'invoke_tool', { tool: 'do', args: 'name: query\ndatabase: prod' }],
  ])('is held for what its arguments could mean if they are %s', async (_, tool, args) => {
    expect(await judgeOf(RUNS + prod)(tool, args)).toMatchObject({ supervision: 'manual', rule: 'builtin.inner-calls' })
  })

  it.each<[string, JsonObject]>([
    ['next to the tool name', { tool: 'query', database: 'prod' }],
    ['next to the tool name, in a key for names', { tool: 'drop', name: 'prod', args: {} }],
    ['next to the tool name and other arguments', { tool: 'query', args: {}, database: 'prod' }],
    ['in an object next to the tool name', { tool: 'query', payload: { database: 'prod' } }],
    ['in JSON text next to the tool name', { tool: 'query', payload: '{"database":"prod"}' }],
    ['in one of several objects', { tool: 'query', meta: { database: 'test' }, options: { database: 'prod' } }],
    ['next to an object with the tool name', { tool: { name: 'query' }, args: { database: 'prod' } }],
  ])('is denied for arguments %s', async (_, args) => {
    const rules = RUNS + (args['tool'] === 'drop' ? drop : prod)
    expect(await judgeOf(rules)('invoke_tool', args)).toMatchObject({ supervision: 'deny', rule: 'never' })
  })

  it.each<[string, string, JsonObject]>([
    ['readable', 'invoke_tool', { tool: 'query', args: '{"database":"test"}' }],
    ['empty', 'invoke_tool', { tool: 'query', args: [] }],
    ['prose next to a name that may not be a tool', 'run_agent', { name: 'reviewer', input: 'Look at this' }],
    ['prose for a tool without a rule', 'invoke_tool', { tool: 'ask_docs', input: 'how are pages "cached"?' }],
    ['a list for a tool without a rule', 'invoke_tool', { tool: 'sum', args: [1, 2] }],
    ['a shell test', 'run_task', { command: '[ -f x ] && make name=x' }],
    ['a template', 'run_prompt', { text: '{{ name: x }}' }],
    ['forty calls with ids', 'parallel', { tool_calls: [...Array(40)].map((_, at) => openai(at)) }],
  ])('is not held if its arguments are %s', async (_, tool, args) => {
    expect(await judgeOf(RUNS + prod)(tool, args)).toMatchObject({ supervision: 'automatic', rule: 'runs' })
  })

  it('is not recognised by its arguments alone', async () => {
    expect(await judge('save_note', { name: 'delete_all', arguments: {} })).toMatchObject({ rule: 'runs' })
  })
})
