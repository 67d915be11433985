import type { Json, JsonObject, Preview } from '@countersign/core'

/** Arguments that a change of files is drawn from. Of each row the first one given is in the picture; others are not. */
const DRAWN = [
  'content contents file_text fileText text new_content newContent',
  'content_base64 contentBase64 base64 data_base64 blob',
  'old_string oldString old_str oldText old_text',
  'new_string newString new_str newText new_text',
  'edits replacements',
  'files changes writes',
  'new_source newSource',
  'insert_text insertText',
].map((names) => names.split(' '))
const PATCH = /^(?:\*\*\* Begin Patch|\*\*\* (?:Add|Update|Delete) File: |diff --git |--- \S|<{5,9} SEARCH)/m

/** Whether the picture of a call shows this argument already, word for word or as changed lines. */
export function isDrawn(name: string, value: Json, args: JsonObject, preview: Preview): boolean {
  switch (preview.kind) {
    case 'command':
      return value === preview.command || value === preview.folder
    case 'diff':
      return value === preview.path || (preview.folded === 0 && isLines(name, args))
    case 'files':
      return preview.changes.every((change) => change.folded === 0) && isLines(name, args)
    case 'delete':
      return preview.targets.some((target) => target.path === value)
    case 'move':
      return value === preview.from.path || value === preview.to.path
    case 'query':
      return value === preview.store || value === preview.sql
    case 'http':
      return value === preview.url
    case 'arguments':
    case 'json':
    case 'failed':
      return true
  }
}

function isLines(name: string, args: JsonObject): boolean {
  const row = DRAWN.find((names) => names.includes(name))
  if (row !== undefined) return row.find((one) => args[one] !== undefined) === name
  const patch = Object.entries(args).find(([, value]) => typeof value === 'string' && PATCH.test(value))
  return patch?.[0] === name
}
