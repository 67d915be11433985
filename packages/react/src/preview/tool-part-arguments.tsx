import { type Json, type JsonObject, safeLines, safeText } from '@countersign/core'
import { type ReactNode, useMemo } from 'react'
import { CodeBlock } from '../text/code-block.tsx'
import { EndOfPicture } from '../text/reading-progress.tsx'
import { ValueView } from './value-view.tsx'

/** Arguments that hold a command, as tools call them. */
const COMMAND = /^(?:command|cmd|command_?line|script)$/i

/** The arguments of a call that there is no picture of: a command as one, and then every other. INVARIANT: L5 */
export function PartArguments({ args }: { readonly args: JsonObject }): ReactNode {
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
      <EndOfPicture />
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
