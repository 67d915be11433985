import type { Draft } from './draft.ts'

/** What was written into a form, field by field: what differs from how it began, valid or not. */
export function draftWords(draft: Draft, first: Draft): string {
  const before = new Map(leavesOf(first, ''))
  return leavesOf(draft, '')
    .filter(([name, text]) => before.get(name) !== text)
    .map(([name, text]) => `${name}: ${text}`)
    .join('\n')
}

type Leaf = readonly [name: string, text: string]

function leavesOf(draft: Draft, name: string): readonly Leaf[] {
  switch (draft.kind) {
    case 'group':
      return draft.fields.flatMap((one) => (one.draft === null ? [] : leavesOf(one.draft, joined(name, one.name))))
    case 'list':
      return draft.items.flatMap((item, at) => leavesOf(item, joined(name, String(at + 1))))
    case 'choice':
      return [[name, JSON.stringify(draft.options[draft.at] ?? null)]]
    case 'boolean':
      return [[name, String(draft.value)]]
    case 'text':
    case 'number':
    case 'json':
      return [[name, draft.text]]
  }
}

function joined(name: string, below: string): string {
  return name === '' ? below : `${name}.${below}`
}
