import { assertNever } from '@countersign/core'
import { type ReactNode, useId } from 'react'
import { SafeTextView } from '../text/safe-text.tsx'
import type { Draft, DraftField } from './draft.ts'
import { ChoiceInput, JsonInput, NumberInput, TextInput } from './inputs.tsx'
import { misfitOf } from './parse-draft.ts'
import type { About } from './schema.ts'

type Change = (draft: Draft) => void

/** The input fields of a draft, including optional fields and lists. */
export function DraftFields({ draft, change }: { readonly draft: Draft; readonly change: Change }): ReactNode {
  const id = useId()
  if (draft.kind === 'json')
    return (
      <div className="cs-edit-field">
        <label htmlFor={id}>All arguments</label>
        <JsonInput id={id} name="" draft={draft} change={change} />
      </div>
    )
  if (draft.kind !== 'group') return null
  const put = (field: DraftField, next: Draft | null): void =>
    change({
      ...draft,
      fields: draft.fields.map((one) => (one.name === field.name ? { ...field, draft: next } : one)),
    })
  return draft.fields.map((field) =>
    field.draft === null ? (
      <OmittedField key={field.name} field={field} put={(next) => put(field, next)} />
    ) : (
      <GivenField key={field.name} field={field} draft={field.draft} put={(next) => put(field, next)} />
    ),
  )
}

function OmittedField({ field, put }: { readonly field: DraftField; readonly put: Change }): ReactNode {
  return (
    <div className="cs-edit-field cs-edit-out">
      <span>
        <Name name={field.name} /> <span className="cs-dim">{field.isRequired ? 'required, not set' : 'not set'}</span>
        <Words about={field.about} />
      </span>
      <button type="button" className="cs-quiet" onClick={() => put(field.blank())}>
        Add
        <span className="cs-hidden">
          {' '}
          <SafeTextView text={field.name} />
        </span>
      </button>
    </div>
  )
}

function GivenField({
  field,
  draft,
  put,
}: {
  readonly field: DraftField
  readonly draft: Draft
  readonly put: (next: Draft | null) => void
}): ReactNode {
  const id = useId()
  const wrong = misfitOf(draft, field.about)
  const isMany = draft.kind === 'group' || draft.kind === 'list'
  const Label = isMany ? 'span' : 'label'
  return (
    <div
      className={isMany ? 'cs-edit-field cs-edit-many' : 'cs-edit-field'}
      {...(isMany ? { role: 'group', 'aria-labelledby': `${id}-name` } : {})}
    >
      <div className="cs-edit-top">
        <Label id={`${id}-name`} {...(isMany ? {} : { htmlFor: id })}>
          <Name name={field.name} /> <span className="cs-dim">{typeWords(draft)}</span>
        </Label>
        {!field.isRequired && (
          <button type="button" className="cs-quiet" onClick={() => put(null)}>
            Remove{' '}
            <span className="cs-hidden">
              {' '}
              <SafeTextView text={field.name} />
            </span>
          </button>
        )}
      </div>
      <Words about={field.about} id={`${id}-about`} />
      <Value id={id} name={field.name} draft={draft} change={put} describedBy={`${id}-about`} />
      {wrong !== null && (
        <p className="cs-edit-misfit" role="status">
          ! {wrong}; the tool may not accept it
        </p>
      )}
    </div>
  )
}

function Value({
  id,
  name,
  draft,
  change,
  describedBy,
}: {
  readonly id: string
  readonly name: string
  readonly draft: Draft
  readonly change: Change
  readonly describedBy?: string
}): ReactNode {
  const common = { id, change, describedBy }
  switch (draft.kind) {
    case 'text':
      return <TextInput {...common} name={name} draft={draft} />
    case 'number':
      return <NumberInput {...common} draft={draft} />
    case 'boolean':
    case 'choice':
      return <ChoiceInput {...common} draft={draft} />
    case 'json':
      return <JsonInput {...common} name={name} draft={draft} />
    case 'group':
      return <DraftFields draft={draft} change={change} />
    case 'list':
      return <Items id={id} name={name} draft={draft} change={change} />
    default:
      return assertNever(draft)
  }
}

function Items({
  id,
  name,
  draft,
  change,
}: {
  readonly id: string
  readonly name: string
  readonly draft: Extract<Draft, { kind: 'list' }>
  readonly change: Change
}): ReactNode {
  const put = (at: number, next: readonly Draft[]): void =>
    change({ ...draft, items: draft.items.toSpliced(at, 1, ...next) })
  return (
    <>
      {draft.items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: list items have no id
        <div key={`${at} of ${draft.items.length}`} className="cs-edit-item">
          <label htmlFor={`${id}-${at}`} className="cs-hidden">
            <SafeTextView text={name} /> {at + 1}
          </label>
          <div className="cs-grow">
            <Value id={`${id}-${at}`} name={name} draft={item} change={(next) => put(at, [next])} />
          </div>
          <button type="button" className="cs-quiet" onClick={() => put(at, [])}>
            Remove<span className="cs-hidden"> item {at + 1}</span>
          </button>
        </div>
      ))}
      <button
        type="button"
        className="cs-quiet cs-edit-add"
        onClick={() => change({ ...draft, items: [...draft.items, draft.blank()] })}
      >
        Add item
      </button>
    </>
  )
}

function Name({ name }: { readonly name: string }): ReactNode {
  return (
    <code className="cs-edit-name">
      <SafeTextView text={name} />
    </code>
  )
}

/** The description of a field. It comes from the server, so it is shown as plain text. */
function Words({ about, id }: { readonly about: About; readonly id?: string }): ReactNode {
  const limits = limitWords(about)
  if (about.words === null && limits === '') return null
  return (
    <span id={id} className="cs-edit-words">
      {about.words !== null && <SafeTextView text={about.words} />} {limits !== '' && <span>({limits})</span>}
    </span>
  )
}

function limitWords({ min, max, longest }: About): string {
  if (min !== null && max !== null) return `${min} to ${max}`
  if (min !== null) return `at least ${min}`
  if (max !== null) return `at most ${max}`
  return longest === null ? '' : `at most ${longest} characters`
}

function typeWords(draft: Draft): string {
  switch (draft.kind) {
    case 'number':
      return draft.isInteger ? 'integer' : 'number'
    case 'choice':
      return 'choice'
    case 'group':
      return ''
    case 'boolean':
      return 'boolean'
    default:
      return draft.kind === 'json' ? 'JSON' : draft.kind
  }
}
