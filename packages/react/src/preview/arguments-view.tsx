import { type Json, type JsonObject, jsonText, safeJson, safeLines, safeText } from '@countersign/core'
import { type ReactNode, useMemo } from 'react'
import { CodeBlock } from '../text/code-block.tsx'
import { EndOfPreview } from '../text/reading-progress.tsx'
import { Region } from '../text/region.tsx'
import { SafeTextView } from '../text/safe-text.tsx'

const SHORT = 120

/** A named JSON value: inline if short, otherwise as a block. */
export function ValueView({
  name,
  value,
  type,
}: {
  readonly name: string
  readonly value: Json
  readonly type?: string
}): ReactNode {
  const text = useMemo(() => JSON.stringify(value), [value])
  // A request's body is often JSON in a text: escaped on one line, nobody can read it.
  const inText = useMemo(() => (typeof value === 'string' ? jsonText(value) : undefined), [value])
  const lines = useMemo(() => {
    if (inText !== undefined) return safeJson(inText)
    if (text.length <= SHORT) return []
    return typeof value === 'string' ? safeLines(value) : safeJson(value)
  }, [inText, text, value])
  return (
    <div className="cs-field">
      <dt>
        <SafeTextView text={name} />
        {(type !== undefined || inText !== undefined) && (
          <span className="cs-dim cs-type">
            <SafeTextView text={inText === undefined ? (type ?? '') : 'JSON text'} />
          </span>
        )}
      </dt>
      <dd>
        {lines.length === 0 ? (
          <code className={`cs-value cs-value-${kindOf(value)}`}>
            <SafeTextView text={text} />
          </code>
        ) : (
          <CodeBlock
            lines={lines}
            label={`Value of ${safeText(name)}`}
            json={typeof value !== 'string' || inText !== undefined}
          />
        )}
      </dd>
    </div>
  )
}

/** The arguments that are not part of the preview. INVARIANT: L5, none is left out. */
export function RemainingArguments({
  args,
  isShown,
}: {
  readonly args: JsonObject
  readonly isShown: (name: string, value: Json) => boolean
}): ReactNode {
  const others = Object.entries(args).filter(([name, value]) => value !== undefined && !isShown(name, value))
  if (others.length === 0) return null
  return (
    <Region className="cs-others" label="Other arguments">
      <h3 className="cs-heading">Other arguments</h3>
      <dl className="cs-fields">
        {others.map(([name, value]) => (
          <ValueView key={name} name={name} value={value as Json} />
        ))}
      </dl>
    </Region>
  )
}

/** A value as formatted JSON. */
export function JsonView({ value, label }: { readonly value: Json; readonly label: string }): ReactNode {
  const lines = useMemo(() => safeJson(value), [value])
  return <CodeBlock lines={lines} label={label} json />
}

function kindOf(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

/** Names of arguments that hold a command. */
const COMMAND = /^(?:command|cmd|command_?line|script)$/i

/** The arguments of a call without a preview: commands first, then all others. INVARIANT: L5 */
export function PlainArguments({ args }: { readonly args: JsonObject }): ReactNode {
  const all = Object.entries(args) as (readonly [string, Json])[]
  const commands = all.flatMap(([name, value]) => (isCommand(name, value) ? [[name, value] as const] : []))
  return (
    <div className="cs-preview">
      {commands.map(([name, command]) => (
        <CommandText key={name} name={name} command={command} />
      ))}
      <dl className="cs-fields">
        {all.map(([name, value]) =>
          isCommand(name, value) ? null : <ValueView key={name} name={name} value={value} />,
        )}
      </dl>
      <EndOfPreview />
    </div>
  )
}

function CommandText({ name, command }: { readonly name: string; readonly command: string }): ReactNode {
  const lines = useMemo(() => safeLines(command), [command])
  return <CodeBlock lines={lines} label={`Value of ${safeText(name)}`} strong />
}

function isCommand(name: string, value: Json): value is string {
  return typeof value === 'string' && value !== '' && COMMAND.test(name)
}
