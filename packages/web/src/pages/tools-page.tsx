import { formatAgo, RiskBadge, SafeTextView, toRiskLevel, useServerNow } from '@countersign/react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { AgentsSection } from '../agents/section.tsx'
import { type SeenTool, service } from '../api/service.ts'
import { QuarantineSection } from '../quarantine/section.tsx'
import { PolicyChanges } from '../rules/changes.tsx'
import { isPlainName } from '../rules/setting.ts'
import { SupervisionSetting } from '../rules/supervision-setting.tsx'
import { ToolDetails, useCurrentVerdict, verdictText } from '../tools/details.tsx'

/** Rows that fetch the current verdict; the others show the last one until expanded. */
const ASKED = 50

/** All tools that were called, with their verdicts and policy changes. */
export function ToolsPage(): ReactNode {
  const [wanted, setWanted] = useState('')
  const tools = useQuery({ queryKey: ['tools'], queryFn: service.tools })
  const all = tools.data?.tools ?? []
  const found = all.filter(({ tool }) => tool.toLowerCase().includes(wanted.trim().toLowerCase()))
  return (
    <div className="page">
      <h1 className="page-title">Tools</h1>
      <AgentsSection />
      <QuarantineSection />
      <PolicyChanges />
      <p className="cs-dim">All tools that agents have called. Open one to set how closely it is supervised.</p>
      <Servers tools={all} />
      {all.length > 0 && (
        <label className="find">
          <span>Find a tool</span>
          <input
            className="cs-input"
            type="search"
            spellCheck={false}
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        </label>
      )}
      {tools.error !== null && <p className="cs-bad">{tools.error.message}</p>}
      {tools.data !== undefined && found.length === 0 && (
        <p>{all.length === 0 ? 'No tool calls yet.' : 'No matching tools.'}</p>
      )}
      <ul className="cards">
        {found.map((tool, at) => (
          <li key={tool.tool} className="tool">
            <Tool tool={tool} isAsked={at < ASKED} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The servers of the tools, each with its own setting. */
function Servers({ tools }: { readonly tools: readonly SeenTool[] }): ReactNode {
  const servers = [...new Set(tools.flatMap(({ server }) => server ?? []))].filter(isPlainName)
  if (servers.length === 0) return null
  return (
    <details className="cs-more">
      <summary>Servers ({servers.length})</summary>
      <ul className="cards">
        {servers.map((server) => (
          <li key={server} className="tool-server tool-details">
            <code className="tool-name">{server}</code>
            <SupervisionSetting target={{ server }} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function Tool({ tool, isAsked }: { readonly tool: SeenTool; readonly isAsked: boolean }): ReactNode {
  const now = useServerNow(30_000)
  const [isOpen, setOpen] = useState(false)
  const says = useCurrentVerdict(tool, isAsked || isOpen)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="tool-head">
        <code className="tool-name">
          <SafeTextView text={tool.tool} />
        </code>
        <span className="cs-tag">
          {says.isLoading ? (
            '…'
          ) : (
            <SafeTextView text={says.data == null ? `last ${verdictText(tool)}` : verdictText(says.data)} />
          )}
        </span>
        <RiskBadge level={toRiskLevel(tool.risk)} small />
        <span className="cs-dim tool-facts">
          <SafeTextView
            text={`${tool.kind} · ${tool.calls} ${tool.calls === 1 ? 'call' : 'calls'} · ${formatAgo(now - tool.lastAt)}`}
          />
        </span>
      </summary>
      {isOpen && <ToolDetails tool={tool} />}
    </details>
  )
}
