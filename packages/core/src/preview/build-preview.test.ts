import { calmRisk } from '@countersign/testing/gate/harmless-risk'
import { frozenCall as call, memoryTargets as targets } from '@countersign/testing/gate/memory-targets'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../call/json/canonical.ts'
import type { Json } from '../call/json/json.ts'
import type { CommandPart } from '../command/model/decomposition.ts'
import type { Targets } from '../ports/targets.ts'
import { buildPreview, customPreview } from './build-preview.ts'

const calm = calmRisk()

describe('other previews', () => {
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

  it('show every part of a command with its level and writes', async () => {
    const risk = calmRisk({
      level: 'critical',
      parts: [
        { command: part('git status', 'git'), level: 'none', paths: [], hosts: [] },
        {
          command: {
            ...part('rm -rf ~', 'rm'),
            cwd: '',
            redirections: [{ operator: '>', target: 'out.txt' }] as never,
          },
          level: 'critical',
          paths: [
            { given: '~', real: '/h', use: 'delete' },
            { given: 'x', real: '/x', use: 'read' },
          ],
          hosts: [],
        },
      ],
    })
    const files = targets({ '/h': { type: 'directory', tree: { files: 7, folders: 2, bytes: 4096 } } })
    expect(await buildPreview(call('Bash', { command: 'git status; rm -rf ~' }), risk, files)).toEqual({
      kind: 'command',
      command: 'git status; rm -rf ~',
      folder: '/w',
      parts: [
        {
          text: 'git status',
          program: 'git',
          via: ['sudo'],
          level: 'none',
          writes: [],
          redirections: [],
          folder: 'an unknown folder',
        },
        {
          text: 'rm -rf ~',
          program: 'rm',
          via: ['sudo'],
          level: 'critical',
          writes: ['~'],
          redirections: ['> out.txt'],
          folder: null,
        },
      ],
      targets: [
        {
          path: '/h',
          use: 'delete',
          type: 'directory',
          files: 7,
          folders: 2,
          bytes: 4096,
          listed: [],
          unread: 0,
          complete: true,
        },
      ],
      problems: [],
    })
  })

  it('show which parts of a command were not understood, and how many are not listed', async () => {
    const risk = calmRisk({
      understood: false,
      reasons: [{ level: 'high', rule: 'shell.unparsed', text: 'a quote is not closed' }],
      parts: Array.from({ length: 250 }, () => ({
        command: part('ls', 'ls'),
        level: 'none' as const,
        paths: [],
        hosts: [],
      })),
    })
    const preview = await buildPreview(call('Bash', { command: 'ls "' }), risk, targets({}))
    expect(preview).toMatchObject({
      problems: [
        'this command could not be fully analyzed: read its full text',
        'a quote is not closed',
        '50 more commands are not listed; see the full text',
      ],
    })
  })

  it('show the arguments of every other call (scenario 36, F2)', async () => {
    expect(await buildPreview(call('frobnicate', { a: [1] }), calm, targets({}))).toEqual({
      kind: 'json',
      value: { a: [1] },
    })
    expect(await buildPreview(call('frobnicate', {}), calm, targets({}))).toEqual({ kind: 'json', value: {} })
  })

  it.each<[string, unknown]>([
    ['an error', new Error('disk on fire')],
    ['a string', 'oops \ud800'],
    [
      'an unreadable value',
      {
        toString: () => {
          throw new Error('no')
        },
      },
    ],
  ])('show %s thrown by the builder, next to the raw arguments (scenario 35, F1)', async (_, thrown) => {
    const broken: Targets = { ...targets({}), readText: () => Promise.reject(thrown) }
    const preview = await buildPreview(call('write_file', { path: 'f', content: 'x' }), calm, broken)
    expect(preview).toMatchObject({ kind: 'failed', value: { path: 'f', content: 'x' } })
    expect(() => JSON.parse(canonicalJson(preview as unknown as Json))).not.toThrow()
    expect(JSON.stringify(preview)).toContain('could not be read')
  })

  it('freeze a tool’s own preview and show its failure', async () => {
    const it = call('x', { a: 1 })
    expect(await customPreview(it, (args) => ({ twice: [args['a'] ?? null] }))).toEqual({
      kind: 'own',
      parts: [{ kind: 'json', value: { twice: [1] } }],
      notes: ['preview made by the tool, not verified'],
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

  it('are plain JSON for any arguments, and never throw', async () => {
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
