/** Every `yaml` block in the documentation is a valid policy, task or script; those called `draft.yaml` are refused. */
import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { readScript } from '../../packages/agent/src/model/script.ts'
import { readTask } from '../../packages/agent/src/task/task-file.ts'
import { readKnowledge, testKnowledge } from '../../packages/core/src/policy/authoring/knowledge-report.ts'
import { BUILTIN_CHECKS } from '../../packages/core/src/policy/model/builtin-checks.ts'
import { formatProblem } from '../../packages/core/src/policy/model/policy-problem.ts'
import { loadPolicyFile } from '../../packages/core/src/policy/parse/policy-file.ts'
import { policyJsonSchema } from '../../packages/core/src/policy/schema/json-schema.ts'
import { blocksIn } from './pages.ts'

const schema = z.fromJSONSchema(policyJsonSchema() as Parameters<typeof z.fromJSONSchema>[0])
/** The checker that the library guide registers, and the built-in ones. */
const checkers = ['ticket', ...BUILTIN_CHECKS]
const crypto = { sha256: (data: string | Uint8Array) => hash('sha256', data, 'hex') }
const blocks = blocksIn('yaml')
const drafts = blocks.filter(({ path }) => path === 'draft.yaml')
/** Files of other kinds, with their parsers. */
const READERS: Readonly<Record<string, (text: string, name: string) => unknown>> = {
  'task.yaml': readTask,
  'script.yaml': readScript,
}
const others = blocks.filter(({ path }) => path in READERS)
const taught = blocks.filter(({ path }) => path.includes('knowledge/'))
const untaught = blocks.filter(({ path }) => path === 'draft-knowledge.yaml')
const policies = blocks.filter((block) => ![drafts, others, taught, untaught].some((some) => some.includes(block)))

function problemsOf(block: (typeof blocks)[number]): readonly string[] {
  const layer = block.path.startsWith('.countersign/') ? 'project' : 'user'
  const file = loadPolicyFile({ layer, name: block.page, text: block.text }, { checkers })
  return file.kind === 'refused' ? file.problems.map(formatProblem) : []
}

describe('policies in the documentation', () => {
  it.each(policies)('load: $page:$line', (block) => {
    expect(problemsOf(block)).toEqual([])
    expect(schema.safeParse(parse(block.text)).error?.issues ?? []).toEqual([])
  })

  it.each(others)('parse as $path: $page:$line', ({ path, text }) => {
    expect(() => READERS[path]?.(text, path)).not.toThrow()
  })

  it.each(taught)('are knowledge whose examples are right: $page:$line', ({ path, text }) => {
    const read = readKnowledge([{ layer: 'user', form: 'knowledge', name: path, text, trusted: false }])
    expect(read.problems.map(formatProblem)).toEqual([])
    expect(testKnowledge(read, crypto).filter(({ found }) => found !== null)).toEqual([])
  })

  it.each(untaught)('are refused as drafts of knowledge: $page:$line', ({ path, text }) => {
    expect(
      readKnowledge([{ layer: 'user', form: 'knowledge', name: path, text, trusted: false }]).problems,
    ).not.toEqual([])
  })

  it.each(drafts)('are refused as drafts: $page:$line', (block) => {
    expect(problemsOf(block)).not.toEqual([])
    expect(schema.safeParse(parse(block.text)).success).toBe(false)
  })
})
