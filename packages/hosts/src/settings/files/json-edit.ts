import type { Json } from '@countersign/core'
import type { Node } from 'jsonc-parser'
import { type JsonPath, type JsonText, nodeAt, propertyOf } from './json-text.ts'

/** Inserts a member (or, without a key, an item) at the end of the object or list at a path, in the style of the file. */
export function insertInto({ text, root }: JsonText, path: JsonPath, key: string | null, value: Json): string {
  const style = styleOf(text)
  const spell: Spell = (indent) => {
    const start = key === null ? '' : `${JSON.stringify(key)}: `
    return start + (indent === null ? inline(value) : block(value, indent, style))
  }
  const node = nodeAt(root, path)
  if (node === undefined) return newRoot(text, spell(style.unit), style)
  const last = node.children?.at(-1)
  return last === undefined ? fillEmpty(text, node, spell, path.length === 0) : insertAfter(text, node, last, spell)
}

/** Spells the new member with an indent, or on one line without one. */
type Spell = (indent: string | null) => string

function fillEmpty(text: string, node: Node, spell: Spell, isRoot: boolean): string {
  const { eol, unit } = styleOf(text)
  const [open, close] = insideOf(node)
  const inner = text.slice(open, close)
  const own = lineIndent(text, node.offset)
  if (inner.trim() === '') {
    const isOneLine = !isRoot && !text.trim().includes('\n')
    const filled = isOneLine ? spell(null) : `${eol}${own}${unit}${spell(own + unit)}${eol}${own}`
    return text.slice(0, open) + filled + text.slice(close)
  }
  const end = open + inner.trimEnd().length
  const tail = text.slice(end, close)
  const rest = tail.includes('\n') ? tail : `${eol}${own}`
  return `${text.slice(0, end)}${eol}${own}${unit}${spell(own + unit)}${rest}${text.slice(close)}`
}

function insertAfter(text: string, node: Node, last: Node, spell: Spell): string {
  const { eol, unit } = styleOf(text)
  const [open, close] = insideOf(node)
  const inner = text.slice(open, close)
  const end = open + inner.trimEnd().length
  const lastEnd = last.offset + last.length
  const hasComma = commaAfter(text, lastEnd, close) !== undefined
  const beside = startsLine(text, last.offset) ? lineIndent(text, last.offset) : lineIndent(text, node.offset) + unit
  const indent = inner.includes('\n') ? beside : null
  const before = hasComma ? text.slice(0, end) : `${text.slice(0, lastEnd)},${text.slice(lastEnd, end)}`
  const separator = indent === null ? ' ' : `${eol}${indent}`
  return `${before}${separator}${spell(indent)}${hasComma ? ',' : ''}${text.slice(end)}`
}

/** The range between the brackets. */
function insideOf({ offset, length }: Node): readonly [number, number] {
  return [offset + 1, offset + length - 1]
}

/** Replaces the value at a path. */
export function replaceAt({ text, root }: JsonText, path: JsonPath, value: Json): string {
  const node = nodeAt(root, path)
  if (node === undefined) return text
  const { offset, length } = node
  const isOnOneLine = node.type !== 'object' || !text.slice(offset, offset + length).includes('\n')
  const spelled = isOnOneLine ? inline(value) : block(value, lineIndent(text, offset), styleOf(text))
  return text.slice(0, offset) + spelled + text.slice(offset + length)
}

/** Removes a member or an item, with the comma and the blanks that belong to it. Comments stay. */
export function removeAt({ text, root }: JsonText, path: JsonPath): string {
  const container = nodeAt(root, path.slice(0, -1))
  const step = path.at(-1)
  if (container === undefined || step === undefined) return text
  const child = typeof step === 'number' ? container.children?.[step] : propertyOf(container, step)
  if (child === undefined) return text
  const children = container.children ?? []
  const at = children.indexOf(child)
  const start = blanksBefore(text, child.offset)
  const end = child.offset + child.length
  const close = container.offset + container.length - 1
  const after = commaAfter(text, end, close)
  if (after !== undefined) return text.slice(0, start) + text.slice(end, after) + text.slice(after + 1)
  const previous = children[at - 1]
  if (previous === undefined) {
    const rest = text.slice(end, close)
    return (
      text.slice(0, start) +
      (rest.trim() === '' && text[start - 1] === opener(container) ? '' : rest) +
      text.slice(close)
    )
  }
  const comma = commaAfter(text, previous.offset + previous.length, child.offset)
  if (comma === undefined) return text
  return text.slice(0, comma) + text.slice(comma + 1, Math.max(comma + 1, start)) + text.slice(end)
}

function opener({ type }: Node): string {
  return type === 'array' ? '[' : '{'
}

/** How a file is written. */
interface Style {
  readonly eol: string
  readonly unit: string
}

function styleOf(text: string): Style {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const unit = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  return { eol, unit: unit.startsWith('\t') ? '\t' : unit }
}

/** A file that has no value yet; comments in it stay above. */
function newRoot(text: string, member: string, { eol, unit }: Style): string {
  const above =
    text.trimEnd() === '' || text.trimEnd() === '\ufeff' ? text.replace(/[^\ufeff]/g, '') : `${text.trimEnd()}${eol}`
  return `${above}{${eol}${unit}${member}${eol}}${eol}`
}

function block(value: Json, indent: string, { eol, unit }: Style): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`)
}

function inline(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(inline).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${inline(inner as Json)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** The blanks at the start of the line. */
function lineIndent(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? ''
}

function startsLine(text: string, at: number): boolean {
  return /^\s*$/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))
}

function blanksBefore(text: string, at: number): number {
  let start = at
  while (start > 0 && /\s/.test(text.charAt(start - 1))) start -= 1
  // A line comment needs the end of its line.
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  return line.includes('//') ? at : start
}

/** The comma after a value, past blanks and comments. */
function commaAfter(text: string, from: number, close: number): number | undefined {
  for (let at = from; at < close; at++) {
    if (text[at] === ',') return at
    if (text.startsWith('//', at)) at = ended(text.indexOf('\n', at), close)
    else if (text.startsWith('/*', at)) at = ended(text.indexOf('*/', at + 2) + 1, close)
  }
  return undefined
}

function ended(at: number, close: number): number {
  return at <= 0 ? close : at
}
