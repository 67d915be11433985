import { SafeTextView } from '@countersign/react'
import { Fragment, type ReactNode, useState } from 'react'
import { type Holding, nextOverride, OVERRIDES, type Override, overrideNotes, toolChange } from './policy-override.ts'

/** The policy change for one tool, as a command or as lines to add by hand. */
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
        ! The name contains special characters that a shell or a policy file could misread, so no change is suggested.
      </p>
    )
  return (
    <>
      <label className="tool-wanted">
        <span>Change to</span>
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
          <p>Run this command. It writes a new policy file, never over an existing one, and checks it:</p>
          <Lines text={change.command} />
        </>
      )}
      <details className="cs-more" open={change.command === null}>
        <summary>
          {' '}
          Or edit <SafeTextView text={policyFile} /> by hand
        </summary>
        <p>If the file does not exist, create it with:</p>
        <Lines text={change.file} />
        <p>
          If it has no <code>tools:</code> section, add this at the end:
        </p>
        <Lines text={change.section} />
        <p>
          If it has a <code>tools:</code> section, add this line right below <code>tools:</code>, or change the line of
          this tool:
        </p>
        <Lines text={change.line} />
        <p>
          Then run <code>countersign policy lint</code>. While a policy file is invalid, every call is held.
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
