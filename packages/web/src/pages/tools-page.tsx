import { agoWords, levelOf, RiskBadge, Safe, useServerNow } from '@countersign/react'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { QuarantineSection } from '../quarantine/quarantine-section.tsx'
import { type SeenTool, service } from '../service.ts'
import { OVERRIDES, type Override, toolChange } from '../tool-override.ts'

/** Every tool that was seen, what policy says of it, and what to write so that it says something else. */
export function ToolsPage(): ReactNode {
  const tools = useQuery({ queryKey: ['tools'], queryFn: service.tools })
  return (
    <div className="page">
      <h1 className="page-title">Tools</h1>
      <QuarantineSection />
      <p className="cs-dim">Every tool that an agent called. Policy is changed in its files, never from here.</p>
      {tools.error !== null && <p className="cs-bad">{tools.error.message}</p>}
      {tools.data?.tools.length === 0 && <p>No tool was called yet.</p>}
      <ul className="cards">
        {tools.data?.tools.map((tool) => (
          <li key={tool.tool} className="tool">
            <Tool tool={tool} policyFile={tools.data.policyFile} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Tool({ tool, policyFile }: { readonly tool: SeenTool; readonly policyFile: string }): ReactNode {
  const now = useServerNow(30_000)
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="tool-head">
        <code className="tool-name">
          <Safe text={tool.tool} />
        </code>
        <span className="cs-tag">
          <Safe text={tool.supervision} />
        </span>
        <RiskBadge level={levelOf(tool.risk)} small />
        <span className="cs-dim tool-facts">
          <Safe
            text={`${tool.kind} · ${tool.calls} ${tool.calls === 1 ? 'call' : 'calls'} · ${agoWords(now - tool.lastAt)}`}
          />
        </span>
      </summary>
      {isOpen && <ToolDetails tool={tool} policyFile={policyFile} />}
    </details>
  )
}

function ToolDetails({ tool, policyFile }: { readonly tool: SeenTool; readonly policyFile: string }): ReactNode {
  return (
    <div className="tool-details">
      <p>
        Last judged{' '}
        <b>
          <Safe text={tool.supervision} />
        </b>{' '}
        by <Safe text={ruleWords(tool.rule)} />.{' '}
        <Safe
          text={`Of its held calls ${tool.approved} were approved, ${tool.rejected} rejected, ${tool.expired} expired.`}
        />{' '}
        <Link href={`/history?tool=${encodeURIComponent(tool.tool)}`}>Its calls</Link>
      </p>
      <p className="cs-dim">
        {tool.server === null ? 'A tool of the agent itself' : <Safe text={`Of server ${tool.server}`} />}
        <Safe text={`, definition ${tool.definition.slice(0, 16)}`} />
      </p>
      {tool.otherDefinitions.length > 0 && (
        <p className="cs-notes">
          ! Its definition changed: {tool.otherDefinitions.length} others were seen under this name.
        </p>
      )}
      <Change tool={tool.tool} policyFile={policyFile} />
    </div>
  )
}

function Change({ tool, policyFile }: { readonly tool: string; readonly policyFile: string }): ReactNode {
  const [wanted, setWanted] = useState<Override>('confirm')
  const change = toolChange(tool, wanted, policyFile)
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
        <span>
          write this into <Safe text={policyFile} />:
        </span>
      </label>
      <pre className="command">
        {change.yaml.split('\n').map((line) => (
          <Fragment key={line}>
            <Safe text={line} />
            {'\n'}
          </Fragment>
        ))}
      </pre>
      {change.command !== null && (
        <>
          <p>or run this, which writes over nothing that is there:</p>
          <pre className="command">
            <Safe text={change.command} />
          </pre>
        </>
      )}
    </>
  )
}

function ruleWords(rule: unknown): string {
  if (typeof rule === 'string') return rule
  if (typeof rule !== 'object' || rule === null || !('id' in rule)) return 'no rule'
  const place = 'file' in rule && 'line' in rule ? ` (${String(rule.file)}:${String(rule.line)})` : ''
  return `${String(rule.id)}${place}`
}
