import type { Json, JsonObject } from '@countersign/core'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { SafeTextView } from '../text/safe-text.tsx'
import { EditDiff } from './diff.tsx'
import { type Draft, draftOf, draftText } from './draft.ts'
import { DraftFields } from './draft-fields.tsx'
import { readDraft, readJson, sameArguments } from './parse-draft.ts'
import { schemaOf } from './schema.ts'
import type { UnsentEdit } from './unsent-drafts.tsx'

/** Loads the definition of a tool, which must have this hash. */
export interface DefinitionSource {
  readonly hash: string
  read(): Promise<Json | null>
}

interface EditArgumentsProps {
  readonly args: JsonObject
  /** Without a definition, the fields come from the arguments alone. */
  readonly definition?: DefinitionSource
  /** An unfinished edit to continue. */
  readonly begun?: UnsentEdit | undefined
  /** Called on every change; undefined if nothing differs from the original. */
  readonly onWrite?: (edit: UnsentEdit | undefined) => void
  readonly onUse: (edited: JsonObject) => void
  readonly onCancel: () => void
}

/** A form to edit the arguments, by field or as JSON, with a diff of the changes. */
export function EditArguments(props: EditArgumentsProps): ReactNode {
  const schema = useSchema(props.definition)
  if (schema === undefined) return <p className="cs-dim">Loading the tool’s schema…</p>
  return <Form {...props} schema={schema} />
}

/** The schema of the tool: undefined while loading, null if there is none or it cannot be loaded. */
function useSchema(source: DefinitionSource | undefined): JsonObject | null | undefined {
  const isKnown = source === undefined || source.hash === 'unbound'
  const [schema, setSchema] = useState<JsonObject | null | undefined>(isKnown ? null : undefined)
  const wanted = useRef(source)
  useEffect(() => {
    const { current } = wanted
    if (current === undefined || current.hash === 'unbound') return
    let isWanted = true
    current.read().then(
      (definition) => isWanted && setSchema(definition === null ? null : schemaOf(definition, current.hash)),
      () => isWanted && setSchema(null),
    )
    return () => {
      isWanted = false
    }
  }, [])
  return schema
}

function Form({
  args,
  schema,
  begun,
  onWrite,
  onUse,
  onCancel,
}: EditArgumentsProps & { readonly schema: JsonObject | null }): ReactNode {
  const first = useMemo(() => draftOf(args, schema), [args, schema])
  const [draft, setDraft] = useState<Draft>(begun?.draft ?? first)
  const [json, setJson] = useState<string | null>(begun?.json ?? null)
  const read = useMemo(() => (json === null ? readDraft(draft) : readJson(json)), [draft, json])
  const isSame = read.kind === 'read' && sameArguments(read.args, args)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.focus(), [])

  function write(nextDraft: Draft, nextJson: string | null): void {
    setDraft(nextDraft)
    setJson(nextJson)
    const words = nextJson ?? draftText(nextDraft, first)
    const next = nextJson === null ? readDraft(nextDraft) : readJson(nextJson)
    const isNothing = next.kind === 'read' && sameArguments(next.args, args)
    onWrite?.(isNothing ? undefined : { draft: nextDraft, json: nextJson, words })
  }

  function toggle(): void {
    if (json === null) write(draft, JSON.stringify(read.kind === 'read' ? read.args : args, null, 2))
    else if (read.kind === 'read') write(draftOf(read.args, schema), null)
  }

  return (
    <form
      ref={form}
      tabIndex={-1}
      className="cs-edit"
      aria-label="Edit arguments"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (read.kind === 'read' && !isSame) onUse(read.args)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        if (isSame) onCancel() // Escape never discards changes
      }}
    >
      <div className="cs-edit-head">
        <h3 className="cs-heading">Edit arguments</h3>
        <button type="button" className="cs-quiet" onClick={toggle}>
          {json === null ? 'Edit as JSON (shows secrets)' : 'Edit as form'}
        </button>
      </div>
      <p className="cs-dim">
        {schema === null
          ? 'The tool has no schema, so the fields come from the arguments. '
          : 'The fields come from the tool’s schema. '}
        The edited call is evaluated again before it runs, and both versions are recorded.
      </p>
      {json === null ? (
        <DraftFields draft={draft} change={(next) => write(next, null)} />
      ) : (
        <label className="cs-edit-field">
          <span>All arguments</span>
          <textarea
            className="cs-input cs-mono"
            spellCheck={false}
            rows={Math.min(24, json.split('\n').length + 1)}
            value={json}
            onChange={(event) => write(draft, event.target.value)}
          />
        </label>
      )}
      {read.kind === 'wrong' ? (
        <p className="cs-bad" role="alert">
          <SafeTextView text={`${read.name}: ${read.message}`} />
        </p>
      ) : (
        <EditDiff before={args} after={read.args} />
      )}
      <div className="cs-row">
        <button type="button" className="cs-button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="cs-button cs-primary" disabled={read.kind === 'wrong' || isSame}>
          Use these arguments
        </button>
      </div>
    </form>
  )
}
