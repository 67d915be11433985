import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calmRisk } from '../../../../test/support/calm-risk.ts'
import type { FrozenCall } from '../call/call.ts'
import { canonicalJson } from '../call/canonical.ts'
import { freezeCall } from '../call/freeze-call.ts'
import type { Json } from '../call/json.ts'
import type { CommandPart } from '../command/decomposition.ts'
import type { Targets } from '../ports/targets.ts'
import { buildPreview, customPreview } from './build-preview.ts'
import type { Preview } from './preview.ts'

const crypto = { sha256: (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex') }
const calm = calmRisk()

function call(tool: string, args: object, server?: string): FrozenCall {
  const ref = server === undefined ? tool : { name: tool, server }
  return freezeCall({ tool: ref, args }, { crypto, session: null, cwd: '/w', newId: () => 'id' })
}

/** A file system in memory: text, or a type of something that is no text. */
function targets(files: { readonly [path: string]: string | { readonly type: 'directory' | 'file' } }): Targets {
  return {
    resolve: async (path) => path,
    program: async () => undefined,
    look: async (path) => {
      const found = files[path]
      const type = found === undefined ? 'absent' : typeof found === 'string' ? 'file' : found.type
      return { given: path, real: path, type, content: 'unbound' }
    },
    readText: async (path) => {
      const found = files[path]
      return typeof found === 'string' ? found : undefined
    },
  }
}

async function diffOf(
  tool: string,
  args: object,
  files: Parameters<typeof targets>[0] = {},
): Promise<Extract<Preview, { kind: 'diff' }>> {
  const preview = await buildPreview(call(tool, args), calm, targets(files))
  if (preview.kind !== 'diff') throw new Error(`expected a diff, got ${JSON.stringify(preview)}`)
  return preview
}

describe('other previews', () => {
  it('shows what a delete takes away', async () => {
    const preview = await diffOf('delete_file', { path: 'f' }, { f: 'a\nb\n' })
    expect(preview).toMatchObject({ change: 'delete', removed: 2, added: 0 })
    expect(await buildPreview(call('delete_file', { path: 'g' }), calm, targets({}))).toMatchObject({
      kind: 'json',
      notes: ['nothing is at `g`'],
    })
    expect(
      await buildPreview(call('delete_file', { path: 'd' }), calm, targets({ d: { type: 'directory' } })),
    ).toMatchObject({ notes: ['`d` is a folder'] })
    expect(await buildPreview(call('delete_file', { paths: ['a', 'b'] }), calm, targets({}))).toMatchObject({
      notes: ['deletes from 2 places: `a`, `b`'],
    })
  })

  const part = (text: string, program: string): CommandPart => ({
    program,
    path: program,
    args: [],
    assignments: [],
    redirections: [],
    via: ['sudo'],
    cwd: null,
    stdin: { kind: 'none' },
    text,
    span: { start: 0, end: text.length },
  })

  it('shows every part of a command with its level and writes', async () => {
    const risk = calmRisk({
      level: 'critical',
      parts: [
        { command: part('git status', 'git'), level: 'none', paths: [] },
        {
          command: part('rm -rf ~', 'rm'),
          level: 'critical',
          paths: [
            { given: '~', real: '/h', use: 'delete' },
            { given: 'x', real: '/x', use: 'read' },
          ],
        },
      ],
    })
    expect(await buildPreview(call('Bash', { command: 'git status; rm -rf ~' }), risk, targets({}))).toEqual({
      kind: 'command',
      command: 'git status; rm -rf ~',
      parts: [
        { text: 'git status', program: 'git', via: ['sudo'], level: 'none', writes: [] },
        { text: 'rm -rf ~', program: 'rm', via: ['sudo'], level: 'critical', writes: ['~'] },
      ],
      problems: [],
    })
  })

  it('says what of a command was not understood, and how many parts are not listed', async () => {
    const risk = calmRisk({
      understood: false,
      reasons: [{ level: 'high', rule: 'shell.unparsed', text: 'a quote is not closed' }],
      parts: Array.from({ length: 250 }, () => ({ command: part('ls', 'ls'), level: 'none' as const, paths: [] })),
    })
    const preview = await buildPreview(call('Bash', { command: 'ls "' }), risk, targets({}))
    expect(preview).toMatchObject({
      problems: [
        'this command could not be fully understood: judge it by its whole text',
        'a quote is not closed',
        '50 more commands are not listed; the whole text holds them',
      ],
    })
  })

  it('shows the arguments of everything else (scenario 36, F2)', async () => {
    expect(await buildPreview(call('frobnicate', { a: [1] }), calm, targets({}))).toEqual({
      kind: 'json',
      value: { a: [1] },
    })
    expect(await buildPreview(call('frobnicate', {}), calm, targets({}))).toEqual({ kind: 'json', value: {} })
  })

  it.each<[string, unknown]>([
    ['an error', new Error('disk on fire')],
    ['a text', 'oops \ud800'],
    [
      'something that cannot be read',
      {
        toString: () => {
          throw new Error('no')
        },
      },
    ],
  ])('shows %s while building beside the raw arguments (scenario 35, F1)', async (_, thrown) => {
    const broken: Targets = { ...targets({}), readText: () => Promise.reject(thrown) }
    const preview = await buildPreview(call('write_file', { path: 'f', content: 'x' }), calm, broken)
    expect(preview).toMatchObject({ kind: 'failed', value: { path: 'f', content: 'x' } })
    expect(() => JSON.parse(canonicalJson(preview as unknown as Json))).not.toThrow()
    expect(JSON.stringify(preview)).toContain('the preview failed')
  })

  it('freezes a tool’s own preview and shows its failure', async () => {
    const it = call('x', { a: 1 })
    expect(await customPreview(it, (args) => ({ twice: [args['a'] ?? null] }))).toEqual({
      kind: 'json',
      value: { preview: { twice: [1] }, args: { a: 1 } },
    })
    expect(await customPreview(it, () => Promise.reject(new Error('no')))).toMatchObject({
      kind: 'failed',
      value: { a: 1 },
    })
    expect(await customPreview(it, (() => ({ f: () => 1 })) as never)).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining('`preview.f`'),
    })
  })

  it('is plain JSON for any arguments, and never throws', async () => {
    const tools = fc.constantFrom(
      'Write',
      'Edit',
      'MultiEdit',
      'apply_patch',
      'apply_diff',
      'Bash',
      'delete_file',
      'move',
      'unknown',
    )
    const keys = fc.constantFrom(
      'path',
      'file_path',
      'content',
      'old_string',
      'new_string',
      'edits',
      'input',
      'diff',
      'command',
      'x',
    )
    const values = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'f',
        'one',
        '*** Begin Patch\n*** Update File: f\n',
        '--- a/f\n+++ b/f\n@@ -1 +1 @@\n',
        '@@ -1,9 +1 @@',
      ),
      fc.jsonValue({ maxDepth: 2 }),
    )
    await fc.assert(
      fc.asyncProperty(tools, fc.dictionary(keys, values), async (tool, args) => {
        fc.pre(!/__proto__|constructor|prototype|e\+|\d{16}/.test(JSON.stringify(args)))
        const preview = await buildPreview(call(tool, args), calm, targets({ f: 'one\n' }))
        expect(JSON.parse(canonicalJson(preview as unknown as Json))).toEqual(preview)
      }),
      { numRuns: 400 },
    )
  })
})
