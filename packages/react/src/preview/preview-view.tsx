import {
  assertNever,
  countedWords,
  isDrawnByUndo,
  type Json,
  type JsonObject,
  type OpenedView,
  type Preview,
  safeLines,
  undoFacts,
} from '@countersign/core'
import { type ReactNode, useMemo } from 'react'
import { CodeBlock } from '../text/code-block.tsx'
import { EndOfPreview } from '../text/reading-progress.tsx'
import { Region } from '../text/region.tsx'
import { SafeTextView } from '../text/safe-text.tsx'
import { JsonView, RemainingArguments, ValueView } from './arguments-view.tsx'
import { CommandView } from './command-view.tsx'
import { DiffView } from './diff-view.tsx'
import { Notes } from './notes.tsx'
import { OwnView } from './own-view.tsx'
import { DeleteView, MoveView } from './target-view.tsx'

const MOST_FIELDS = 60

/** What a call will do, rendered from the signed bytes: the preview and all arguments that are not part of it. */
export function PreviewView({ opened }: { readonly opened: OpenedView }): ReactNode {
  const { preview } = opened.view
  const { args, cwd } = opened.body.call
  const given = preview.kind === 'query' || preview.kind === 'http' ? preview.args : args
  return (
    <div className="cs-preview">
      <Picture preview={preview} cwd={cwd} />
      {undoFacts(opened).map(([name, label, ids]) => (
        <p key={name} className="cs-dim">
          {label} <SafeTextView text={ids} />
        </p>
      ))}
      <RemainingArguments
        args={given}
        isShown={(name, value) => isDrawn(name, value, given, preview) || isDrawnByUndo(opened, name, value)}
      />
      <EndOfPreview />
    </div>
  )
}

function Picture({ preview, cwd }: { readonly preview: Preview; readonly cwd: string }): ReactNode {
  switch (preview.kind) {
    case 'diff':
      return <DiffView preview={preview} />
    case 'files':
      return <FilesView preview={preview} />
    case 'command':
      return <CommandView preview={preview} cwd={cwd} />
    case 'delete':
      return <DeleteView preview={preview} />
    case 'move':
      return <MoveView preview={preview} />
    case 'query':
      return <QueryView preview={preview} />
    case 'http':
      return <HttpView preview={preview} />
    case 'arguments':
      return <ArgumentsView preview={preview} />
    case 'own':
      return <OwnView preview={preview} />
    case 'json':
      return (
        <>
          <Notes notes={preview.notes ?? []} />
          <Value value={preview.value} />
        </>
      )
    case 'failed':
      return (
        <>
          <Notes notes={[preview.error, 'no preview available; showing the raw arguments']} bad />
          <JsonView value={preview.value} label="Arguments" />
        </>
      )
    default:
      return assertNever(preview)
  }
}

/** A JSON value: an object as fields, anything else as text. */
function Value({ value }: { readonly value: Json }): ReactNode {
  const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
  if (fields.length === 0 || fields.length > MOST_FIELDS) return <JsonView value={value} label="Arguments" />
  return (
    <dl className="cs-fields" aria-label="Arguments">
      {fields.map(([name, one]) => (
        <ValueView key={name} name={name} value={one as Json} />
      ))}
    </dl>
  )
}

function FilesView({ preview }: { readonly preview: Extract<Preview, { kind: 'files' }> }): ReactNode {
  const added = preview.changes.reduce((sum, one) => sum + one.added, 0)
  const removed = preview.changes.reduce((sum, one) => sum + one.removed, 0)
  return (
    <Region className="cs-files" label="Changed files">
      <p>
        {countedWords(preview.changes.length, 'file')} <span className="cs-plus">+{added}</span>{' '}
        <span className="cs-minus">−{removed}</span>
      </p>
      <Notes notes={preview.notes} />
      {preview.changes.map((change) => (
        <DiffView key={`${change.change} ${change.path}`} preview={change} />
      ))}
    </Region>
  )
}

function QueryView({ preview }: { readonly preview: Extract<Preview, { kind: 'query' }> }): ReactNode {
  const lines = useMemo(() => safeLines(preview.sql), [preview.sql])
  const { store, target } = preview // its effects are the reasons of the risk, which the card lists
  return (
    <Region className="cs-query" label="Query">
      <CodeBlock lines={lines} label="Full query" strong />
      <p>
        {' '}
        Sent to{' '}
        <code>
          <SafeTextView text={target === null || target === store ? store : `${store}, on ${target}`} />
        </code>
      </p>
    </Region>
  )
}

function HttpView({ preview }: { readonly preview: Extract<Preview, { kind: 'http' }> }): ReactNode {
  const { method, url, host, notes } = preview
  const lines = useMemo(() => safeLines(`${method ?? 'sends to'} ${url}`), [method, url])
  return (
    <Region className="cs-http" label="Network request">
      <CodeBlock lines={lines} label="Method and URL" strong />
      <p>
        {' '}
        Host{' '}
        <code className="cs-host">
          <SafeTextView text={host} />
        </code>
      </p>
      <Notes notes={notes} />
    </Region>
  )
}

function ArgumentsView({ preview }: { readonly preview: Extract<Preview, { kind: 'arguments' }> }): ReactNode {
  return (
    <Region label="Arguments">
      <Notes notes={preview.notes} />
      <dl className="cs-fields">
        {preview.fields.map((field) => (
          <ValueView key={field.name} name={field.name} value={field.value} type={field.type} />
        ))}
      </dl>
    </Region>
  )
}

/** Names of the arguments that a file diff is built from. Of each group, the preview uses the first one present. */
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

/** Whether the preview already contains this argument. */
function isDrawn(name: string, value: Json, args: JsonObject, preview: Preview): boolean {
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
    case 'own':
      return false
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
