import type { JsonObject } from '@countersign/core'
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { type ArgumentField, fieldsOf, readFields, readJson, sameArguments } from './argument-fields.ts'
import { EditDiff } from './edit-diff.tsx'
import { Safe } from './safe.tsx'

/** Other arguments than were asked for: a field for each, by its type, or the JSON of all; and what the edit changes. */
export function EditArguments({
  args,
  onUse,
  onCancel,
}: {
  readonly args: JsonObject
  readonly onUse: (edited: JsonObject) => void
  readonly onCancel: () => void
}): ReactNode {
  const [fields, setFields] = useState(() => fieldsOf(args))
  const [json, setJson] = useState<string | null>(null)
  const read = useMemo(() => (json === null ? readFields(fields) : readJson(json)), [fields, json])
  const isSame = read.kind === 'read' && sameArguments(read.args, args)
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.focus(), [])

  function change(name: string, text: string): void {
    setFields(fields.map((field) => (field.name === name ? { ...field, text } : field)))
  }

  function toggle(): void {
    if (json === null) setJson(JSON.stringify(read.kind === 'read' ? read.args : args, null, 2))
    else if (read.kind === 'read') {
      setFields(fieldsOf(read.args))
      setJson(null)
    }
  }

  return (
    <form
      ref={form}
      tabIndex={-1}
      className="cs-edit"
      aria-label="Edit the arguments"
      onSubmit={(event) => {
        event.preventDefault()
        if (read.kind === 'read' && !isSame) onUse(read.args)
      }}
    >
      <div className="cs-edit-head">
        <h3 className="cs-heading">Edit the arguments</h3>
        <button type="button" className="cs-quiet" onClick={toggle}>
          {json === null ? 'as JSON' : 'as fields'}
        </button>
      </div>
      <p className="cs-dim">An edited call is a new call: it is judged again before it runs, and both are recorded.</p>
      {json === null ? (
        fields.map((field) => <Field key={field.name} field={field} id={`${id}-${field.name}`} change={change} />)
      ) : (
        <label className="cs-edit-field">
          <span>All arguments</span>
          <textarea
            className="cs-input cs-mono"
            spellCheck={false}
            rows={Math.min(24, json.split('\n').length + 1)}
            value={json}
            onChange={(event) => setJson(event.target.value)}
          />
        </label>
      )}
      {read.kind === 'wrong' ? (
        <p className="cs-bad" role="alert">
          <Safe text={`${read.name}: ${read.message}`} />
        </p>
      ) : (
        <EditDiff before={args} after={read.args} />
      )}
      <div className="cs-row">
        <button type="button" className="cs-button" onClick={onCancel}>
          Back
        </button>
        <button type="submit" className="cs-button cs-primary" disabled={read.kind === 'wrong' || isSame}>
          Use these arguments
        </button>
      </div>
    </form>
  )
}

function Field({
  field,
  id,
  change,
}: {
  readonly field: ArgumentField
  readonly id: string
  readonly change: (name: string, text: string) => void
}): ReactNode {
  const { name, kind, text } = field
  const isLong = kind === 'json' || text.includes('\n') || text.length > 80
  return (
    <div className="cs-edit-field">
      <label htmlFor={id}>
        <Safe text={name} /> <span className="cs-dim">{kind}</span>
      </label>
      {kind === 'boolean' ? (
        <select id={id} className="cs-input" value={text} onChange={(event) => change(name, event.target.value)}>
          <option value="true">true</option>
          <option value="false">false</option>
        </select>
      ) : isLong ? (
        <textarea
          id={id}
          className="cs-input cs-mono"
          spellCheck={false}
          rows={Math.min(14, text.split('\n').length + 1)}
          value={text}
          onChange={(event) => change(name, event.target.value)}
        />
      ) : (
        <input
          id={id}
          className="cs-input cs-mono"
          inputMode={kind === 'number' ? 'decimal' : undefined}
          spellCheck={false}
          value={text}
          onChange={(event) => change(name, event.target.value)}
        />
      )}
    </div>
  )
}
