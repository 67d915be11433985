import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Call } from '../call.ts'
import { canonicalJson } from '../json/canonical.ts'
import { freezeCall } from './freeze-call.ts'

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')
const context = { crypto: { sha256 }, session: 's-1', cwd: '/w', newId: () => 'minted' }
const freeze = (call: Call) => freezeCall(call, context)
const shapeError = expect.objectContaining({ code: 'CS_CALL_SHAPE' })

describe('freezing a call', () => {
  it('puts identity, arguments, folder, session and requester into one canonical text', () => {
    const call = freeze({
      id: 'call:1',
      tool: { name: 'query', server: 'postgres', definition: { b: 1, a: 2 } },
      args: { z: 1, a: 'é' },
      cwd: '/w/sub',
      agent: { name: 'coder', parents: ['lead'] },
    })
    const body = {
      tool: { server: 'postgres', name: 'query', definition: sha256('{"a":2,"b":1}') },
      args: { z: 1, a: 'é' },
      cwd: '/w/sub',
      session: 's-1',
      agent: ['lead', 'coder'],
    }
    expect(call.digest).toBe(sha256(`countersign/call/v1\0${canonicalJson(body)}`))
    expect(call.grantKey).toBe(sha256(`countersign/grant/v1\0${canonicalJson(body)}`))
    expect(call.id).toBe('call:1')
  })

  it('pins the digest of one example call', () => {
    const call = freeze({ tool: 'read_file', args: { path: 'a' } })
    const text =
      '{"agent":["agent"],"args":{"path":"a"},"cwd":"/w","session":"s-1","tool":{"definition":"unbound","name":"read_file","server":null}}'
    expect(call.digest).toBe(sha256(`countersign/call/v1\0${text}`))
    expect(call.digest).toBe('ce5608cd685be03d0ab340b052ce1f6de3fe64c1bbfd8742762afef3e60d84dd')
  })

  it('fills in omitted fields', () => {
    const call = freezeCall({ tool: 'x', args: undefined }, { ...context, session: null })
    expect(call).toMatchObject({
      id: 'minted',
      args: {},
      cwd: '/w',
      session: null,
      agent: { name: 'agent', parents: [] },
      said: null,
      description: null,
      annotations: null,
      source: 'custom',
      requiresConfirmation: false,
      confirmationMessage: null,
      tool: { server: null, name: 'x', definition: 'unbound' },
    })
  })

  it.each<[string, Partial<Call>]>([
    ['arguments', { args: { path: 'b' } }],
    ['tool', { tool: 'Read' }],
    ['server', { tool: { name: 'read', server: 's' } }],
    ['definition', { tool: { name: 'read', definition: {} } }],
    ['folder', { cwd: '/x' }],
    ['agent', { agent: { name: 'other' } }],
    ['parents', { agent: { name: 'agent', parents: ['agent'] } }],
  ])('changes the digest and the grant key for another %s', (_, change) => {
    const base = freeze({ tool: 'read', args: { path: 'a' } })
    const other = freeze({ tool: 'read', args: { path: 'a' }, ...change })
    expect(other.digest).not.toBe(base.digest)
    expect(other.grantKey).not.toBe(base.grantKey)
  })

  it('ignores key order and the agent’s text in the digest', () => {
    const a = freeze({ id: '1', tool: 'x', args: { a: 1, b: 2 }, said: 'please' })
    const b = freeze({ id: '2', tool: 'x', args: { b: 2, a: 1 }, confirmationMessage: 'really?' })
    expect(a.digest).toBe(b.digest)
  })

  it('does not split one string into server and tool name', () => {
    expect(freeze({ tool: 'postgres/query', args: {} }).tool).toEqual({
      server: null,
      name: 'postgres/query',
      definition: 'unbound',
    })
  })

  it('treats a server’s tool as a server’s tool, whatever source the caller claims', () => {
    expect(freeze({ tool: { name: 'read_file', server: 'evil' }, args: {}, source: 'builtin' }).source).toBe('mcp')
    expect(freeze({ tool: 'mcp__evil__read_file', args: {}, source: 'builtin' }).source).toBe('mcp')
  })

  it('freezes every level', () => {
    const call = freeze({
      tool: { name: 'x', annotations: { readOnlyHint: true } },
      args: { files: ['a'], url: 'https://a.example', link: 'https://b.example' },
      agent: { name: 'a', parents: ['b'] },
    })
    const pending: unknown[] = [call]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (typeof next !== 'object' || next === null) continue
      expect(Object.isFrozen(next)).toBe(true)
      pending.push(...Object.values(next))
    }
  })

  it.each<[string, Call]>([
    ['a value that is not an object', 'rm' as never],
    ['a missing tool', { args: {} } as never],
    ['an empty tool', { tool: '', args: {} }],
    ['a tool with a newline', { tool: 'a\nb', args: {} }],
    ['a tool with a lone surrogate', { tool: 'a\ud800', args: {} }],
    ['a long tool', { tool: 'x'.repeat(257), args: {} }],
    ['an empty server', { tool: { name: 'x', server: '' }, args: {} }],
    ['a server with a C1 control', { tool: { name: 'x', server: 'a\u009b' }, args: {} }],
    ['an invalid id', { tool: 'x', args: {}, id: 'a b' }],
    ['an id with `..`', { tool: 'x', args: {}, id: '..' }],
    ['an id that is a folder', { tool: 'x', args: {}, id: '.' }],
    ['a long id', { tool: 'x', args: {}, id: 'x'.repeat(129) }],
    ['an id that is not a string', { tool: 'x', args: {}, id: 7 as never }],
    ['a relative folder', { tool: 'x', args: {}, cwd: 'sub' }],
    ['a folder with a NUL character', { tool: 'x', args: {}, cwd: '/a\0' }],
    ['a long agent', { tool: 'x', args: {}, agent: { name: 'x'.repeat(129) } }],
    ['an agent without a name', { tool: 'x', args: {}, agent: {} as never }],
    ['too many parents', { tool: 'x', args: {}, agent: { name: 'x', parents: new Array(17).fill('p') } }],
    ['a sparse list of parents', { tool: 'x', args: {}, agent: { name: 'x', parents: new Array(3) } }],
    ['agent text that is not a string', { tool: 'x', args: {}, said: {} as never }],
    ['an unknown source', { tool: 'x', args: {}, source: 'trusted' as never }],
    ['a flag that is not a boolean', { tool: 'x', args: {}, requiresConfirmation: 'no' as never }],
    ['an unknown kind', { tool: 'x', args: {}, description: { kind: 'harmless' as never } }],
    ['a description without a kind', { tool: 'x', args: {}, description: {} as never }],
    [
      'a `describe` that throws',
      {
        tool: 'x',
        args: {},
        describe: () => {
          throw new Error('no')
        },
      },
    ],
    [
      'a `describe` that returns a promise',
      { tool: 'x', args: {}, describe: (async () => ({ kind: 'read' })) as never },
    ],
    ['a `describe` that is not a function', { tool: 'x', args: {}, describe: 'read' as never }],
    [
      'a getter that throws',
      {
        get tool(): string {
          throw new Error('\u001b]0;x')
        },
        args: {},
      },
    ],
  ])('refuses %s', (_, call) => {
    expect(() => freeze(call)).toThrow(shapeError)
    try {
      freeze(call)
    } catch (error) {
      expect((error as Error).message).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
    }
  })

  it('refuses invalid arguments with their own error codes', () => {
    expect(() => freeze({ tool: 'x', args: null })).toThrow(expect.objectContaining({ code: 'CS_CALL_ARGS' }))
    expect(() => freezeCall({ tool: 'x', args: { a: 'xxxx' } }, { ...context, maxBytes: 5 })).toThrow(
      expect.objectContaining({ code: 'CS_CALL_TOO_LARGE' }),
    )
  })

  it('truncates and repairs the agent’s text', () => {
    const said = `${'x'.repeat(3999)}😀 and more`
    expect(freeze({ tool: 'x', args: {}, said }).said).toBe(`${'x'.repeat(3999)}\ufffd`)
  })

  it('passes the frozen copy to the registration’s `describe`', () => {
    const describeTool = (args: object) => ({
      kind: Object.isFrozen(args) ? ('write' as const) : ('read' as const),
      paths: ['p'],
    })
    expect(freeze({ tool: 'x', args: {}, describe: describeTool, description: { kind: 'read' } }).descriptor).toEqual({
      kind: 'write',
      paths: ['p'],
      source: 'declared',
    })
  })

  it('drops hints that are not booleans: a missing hint means the worst case', () => {
    const annotations = { readOnlyHint: 'yes', destructiveHint: false, extra: true } as never
    expect(freeze({ tool: { name: 'x', annotations }, args: {} }).annotations).toEqual({ destructiveHint: false })
  })

  it('reads each field of the call once', () => {
    let reads = 0
    const call = {
      args: {},
      get tool() {
        reads++
        return reads === 1 ? 'read_file' : 'delete_file'
      },
    }
    expect(freeze(call).tool.name).toBe('read_file')
    expect(reads).toBe(1)
  })
})

describe('the grant key', () => {
  it('ignores the description of a shell command, and nothing else', () => {
    const first = freeze({ tool: 'Bash', args: { command: 'npm test', description: 'run tests', timeout: 1 } })
    const second = freeze({ tool: 'Bash', args: { command: 'npm test', description: 'check it', timeout: 2 } })
    const other = freeze({ tool: 'Bash', args: { command: 'npm publish', description: 'run tests', timeout: 1 } })
    expect(second.grantKey).toBe(first.grantKey)
    expect(second.digest).not.toBe(first.digest)
    expect(other.grantKey).not.toBe(first.grantKey)
  })

  it('includes a description that is payload, as in other tools and in servers’ tools', () => {
    for (const tool of ['create_issue', { name: 'Bash', server: 's' }]) {
      const keys = ['a', 'b'].map((description) => freeze({ tool, args: { description } }).grantKey)
      expect(keys[0]).not.toBe(keys[1])
    }
  })

  it('leaves out the arguments that the registration marks as volatile', () => {
    const keys = ['a', 'b'].map(
      (note) => freeze({ tool: 'x', args: { id: 1, note }, volatile: ['note', 'absent'] }).grantKey,
    )
    expect(keys[0]).toBe(keys[1])
  })

  it.each<[string, Call]>([
    ['the command', { tool: 'Bash', args: { command: 'ls' }, volatile: ['command'] }],
    [
      'part of the command',
      { tool: 'execute_command', args: { command: 'git', args: ['push'] }, volatile: ['command'] },
    ],
    ['a path', { tool: 'x', args: { path: 'a' }, volatile: ['path'] }],
    ['a file URL', { tool: 'x', args: { uri: 'file:///a' }, volatile: ['uri'] }],
    [
      'a declared path',
      { tool: 'x', args: { thing: 'a' }, description: { kind: 'write', paths: ['a'] }, volatile: ['thing'] },
    ],
    ['an action', { tool: 'get_x', args: { action: 'delete' }, volatile: ['action'] }],
    ['a whole object', { tool: 'x', args: { options: { force: true } }, volatile: ['options'] }],
  ])('never leaves out %s (A11)', (_, call) => {
    expect(() => freeze(call)).toThrow(shapeError)
  })
})
