import type { ReactNode } from 'react'
import type { CallForm, Field, TypedCall } from './typed-call.ts'

const FORMS: readonly (readonly [CallForm, string])[] = [
  ['command', 'Command'],
  ['tool', 'Tool'],
  ['json', 'JSON'],
]

/** The fields for a call: a command line, a tool with its arguments, or JSON. */
export function CallFields({
  typed,
  change,
}: {
  readonly typed: TypedCall
  readonly change: (typed: TypedCall) => void
}): ReactNode {
  return (
    <>
      <fieldset className="explain-forms">
        <legend>Explain a</legend>
        {FORMS.map(([form, label]) => (
          <label key={form}>
            <input type="radio" name="form" checked={typed.form === form} onChange={() => change({ ...typed, form })} />{' '}
            {label}
          </label>
        ))}
      </fieldset>
      {typed.form === 'command' && (
        <label>
          <span>Command line</span>
          <textarea
            className="cs-input cs-mono"
            rows={2}
            spellCheck={false}
            value={typed.command}
            onChange={(event) => change({ ...typed, command: event.target.value })}
          />
        </label>
      )}
      {typed.form === 'tool' && <ToolFields typed={typed} change={change} />}
      {typed.form === 'json' && (
        <label>
          <span>Call (JSON)</span>
          <textarea
            className="cs-input cs-mono"
            rows={7}
            spellCheck={false}
            value={typed.json}
            onChange={(event) => change({ ...typed, json: event.target.value })}
          />
        </label>
      )}
    </>
  )
}

function ToolFields({
  typed,
  change,
}: {
  readonly typed: TypedCall
  readonly change: (typed: TypedCall) => void
}): ReactNode {
  const set = (at: number, field: Field): void => change({ ...typed, fields: typed.fields.with(at, field) })
  return (
    <>
      <label>
        <span>Tool (server/name for a tool of an MCP server)</span>
        <input
          className="cs-input cs-mono"
          spellCheck={false}
          value={typed.tool}
          onChange={(event) => change({ ...typed, tool: event.target.value })}
        />
      </label>
      {typed.fields.map((field, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields have no other identity while they are typed
        <div key={at} className="explain-field">
          <label>
            <span>Argument {at + 1}</span>
            <input
              className="cs-input cs-mono"
              spellCheck={false}
              value={field.name}
              onChange={(event) => set(at, { ...field, name: event.target.value })}
            />
          </label>
          <label>
            <span>Value of argument {at + 1}</span>
            <input
              className="cs-input cs-mono"
              spellCheck={false}
              value={field.value}
              onChange={(event) => set(at, { ...field, value: event.target.value })}
            />
          </label>
        </div>
      ))}
      <button
        type="button"
        className="cs-button explain-add"
        onClick={() => change({ ...typed, fields: [...typed.fields, { name: '', value: '' }] })}
      >
        Add an argument
      </button>
    </>
  )
}
