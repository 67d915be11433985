import { type Json, maskJson, safeText } from '@countersign/core'
import { type ReactNode, useMemo, useState } from 'react'
import { SafeTextView } from '../text/safe-text.tsx'
import type { Draft } from './draft.ts'

interface InputProps<Kind extends Draft['kind']> {
  readonly id: string
  readonly draft: Extract<Draft, { kind: Kind }>
  readonly change: (draft: Draft) => void
  readonly describedBy?: string | undefined
}

const LONG = 80

/** A text input. A secret is hidden until revealed; invisible and right-to-left characters are marked below. */
export function TextInput({
  id,
  name,
  draft,
  change,
  describedBy,
}: InputProps<'text'> & { readonly name: string }): ReactNode {
  const { text } = draft
  // Decided once, because switching between input and textarea would lose the cursor.
  const [isLong] = useState(() => text.includes('\n') || text.length > LONG)
  const [masked] = useState(() => maskJson({ [name]: text }))
  const [isRevealed, setRevealed] = useState(masked.secrets === 0)
  const shown = useMemo(() => safeText(text), [text])
  if (!isRevealed) return <Covered id={id} text={coveredText(masked.value, name)} reveal={() => setRevealed(true)} />
  const common = {
    id,
    className: 'cs-input cs-mono',
    dir: 'ltr',
    spellCheck: false,
    value: text,
    'aria-describedby': describedBy,
  }
  return (
    <>
      {isLong ? (
        <textarea
          {...common}
          rows={Math.min(14, text.split('\n').length + 1)}
          onChange={(event) => change({ ...draft, text: event.target.value })}
        />
      ) : (
        <input {...common} onChange={(event) => change({ ...draft, text: event.target.value })} />
      )}
      {shown.includes('⟦') && (
        <p className="cs-edit-misfit">
          ! contains invisible or right-to-left characters: <SafeTextView text={text.slice(0, 2000)} />
        </p>
      )}
    </>
  )
}

function Covered({
  id,
  text,
  reveal,
}: {
  readonly id: string
  readonly text: string
  readonly reveal: () => void
}): ReactNode {
  return (
    <div className="cs-edit-covered">
      <code>
        <SafeTextView text={text} />
      </code>
      <button type="button" id={id} className="cs-quiet" onClick={reveal}>
        Reveal to edit
      </button>
    </div>
  )
}

function coveredText(value: Json, name: string): string {
  const covered = typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name as never] : value
  return typeof covered === 'string' ? covered : JSON.stringify(covered)
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

export function NumberInput({ id, draft, change, describedBy }: InputProps<'number'>): ReactNode {
  return (
    <input
      id={id}
      className="cs-input cs-mono"
      inputMode={draft.isInteger ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={draft.text}
      aria-describedby={describedBy}
      onChange={(event) => change({ ...draft, text: event.target.value })}
    />
  )
}

/** A boolean or a value from the schema's enum. */
export function ChoiceInput({ id, draft, change, describedBy }: InputProps<'boolean' | 'choice'>): ReactNode {
  const options = draft.kind === 'boolean' ? [true, false] : draft.options
  const at = draft.kind === 'boolean' ? (draft.value ? 0 : 1) : draft.at
  function choose(next: number): void {
    change(draft.kind === 'boolean' ? { ...draft, value: next === 0 } : { ...draft, at: next })
  }
  return (
    <select
      id={id}
      className="cs-input cs-mono"
      value={at}
      aria-describedby={describedBy}
      onChange={(event) => choose(Number(event.target.value))}
    >
      {at === -1 && <option value={-1}>Choose…</option>}
      {options.map((option, place) => (
        <option key={JSON.stringify(option)} value={place}>
          {optionWords(option, options)}
        </option>
      ))}
    </select>
  )
}

/** Quotes strings when options have mixed types, so that `2` and `"2"` look different. */
function optionWords(option: Json, options: readonly Json[]): string {
  const isOnlyText = options.every((one) => typeof one === 'string')
  return safeText(isOnlyText && typeof option === 'string' && option !== '' ? option : JSON.stringify(option))
}

/** A JSON input; hidden until revealed if it contains a secret. */
export function JsonInput({
  id,
  name,
  draft,
  change,
  describedBy,
}: InputProps<'json'> & { readonly name: string }): ReactNode {
  const [masked] = useState(() => maskJson({ [name]: parsed(draft.text) }))
  const [isRevealed, setRevealed] = useState(masked.secrets === 0)
  if (!isRevealed) return <Covered id={id} text={coveredText(masked.value, name)} reveal={() => setRevealed(true)} />
  return (
    <textarea
      id={id}
      className="cs-input cs-mono"
      dir="ltr"
      spellCheck={false}
      rows={Math.min(14, draft.text.split('\n').length + 1)}
      value={draft.text}
      aria-describedby={describedBy}
      onChange={(event) => change({ ...draft, text: event.target.value })}
    />
  )
}
