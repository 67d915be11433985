import { SafeTextView } from '@countersign/react'
import { Fragment, type ReactNode, useState } from 'react'
import { type Holding, nextOverride, OVERRIDES, type Override, overrideNotes, toolChange } from './policy-override.ts'

/** The exact change of policy for one tool: a command that writes a file of its own, or the lines for each kind of file. */
export function PolicyChanges({
  tool,
  holds,
  policyFile,
}: {
  readonly tool: string
  readonly holds: Holding
  readonly policyFile: string
}): ReactNode {
  const [wanted, setWanted] = useState<Override>(nextOverride(holds.now, holds.last))
  const change = toolChange(tool, wanted, policyFile)
  const words = overrideNotes(wanted, holds)
  if (change === null)
    return (
      <p className="cs-notes">
        ! Its name is more than plain letters, so no change is written here: what was made of it could mean something
        else.
      </p>
    )
  return (
    <>
      <label className="tool-wanted">
        <span>To make it</span>
        <select className="cs-input" value={wanted} onChange={(event) => setWanted(event.target.value as Override)}>
          {OVERRIDES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        {words.plain !== null && <span>{words.plain}</span>}
      </label>
      {words.warning !== null && (
        <p className="cs-notes">
          ! <SafeTextView text={words.warning} />
        </p>
      )}
      {change.command !== null && (
        <>
          <p>run this. It writes a file of its own, over nothing that is there, and reads it back:</p>
          <Lines text={change.command} />
        </>
      )}
      <details className="cs-more" open={change.command === null}>
        <summary>
          or edit <SafeTextView text={policyFile} /> by hand
        </summary>
        <p>Where there is no such file yet, this is all of it:</p>
        <Lines text={change.file} />
        <p>
          Where it has no <code>tools:</code> yet, add this at its end:
        </p>
        <Lines text={change.section} />
        <p>
          Where it has <code>tools:</code>, add this line directly below that one, or change the line of this tool if it
          has one:
        </p>
        <Lines text={change.line} />
        <p>
          Then run <code>countersign policy lint</code>: while a policy cannot be read, every call is held.
        </p>
      </details>
    </>
  )
}

function Lines({ text }: { readonly text: string }): ReactNode {
  return (
    <pre className="command">
      {text
        .trimEnd()
        .split('\n')
        .map((line) => (
          <Fragment key={line}>
            <SafeTextView text={line} />
            {'\n'}
          </Fragment>
        ))}
    </pre>
  )
}
