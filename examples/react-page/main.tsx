import { type OpenedPageGate, openPageGate } from '@countersign/page'
import { PageApprovals } from '@countersign/page/dialog'
import '@countersign/react/style.css'
import { type FormEvent, type ReactNode, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { registerTools, runAgentLoop } from './agent.ts'
import type { Message } from './model.ts'
import './page.css'

/** Your page: a chat, and the dialog that asks before a tool runs. Only the loop gets the gate, and only the dialog the desk. */
function Chat({ opened: { gate, desk } }: { readonly opened: OpenedPageGate }): ReactNode {
  const tools = useMemo(() => registerTools(gate), [gate])
  const [conversation, setConversation] = useState<readonly Message[]>([])
  const [isBusy, setBusy] = useState(false)

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    const text = String(new FormData(form).get('text') ?? '')
    form.reset()
    setBusy(true)
    await runAgentLoop(text, conversation, tools, setConversation).finally(() => setBusy(false))
  }

  async function save(): Promise<void> {
    const { entries, checkpoint, publicKey } = await desk.journal.export()
    download('audit.jsonl', entries)
    download('audit.checkpoint', checkpoint)
    download('audit.key', publicKey)
  }

  return (
    <main className="cs-root">
      <h1>Notes assistant</h1>
      <ol aria-label="Conversation" aria-live="polite">
        {conversation.map((message, at) => (
          <li key={at} className={message.role}>
            {message.text}
          </li>
        ))}
      </ol>
      <form onSubmit={(event) => void send(event)}>
        <label>
          Message <input name="text" defaultValue="Clean up my notes" autoComplete="off" />
        </label>
        <button type="submit" className="cs-button" disabled={isBusy}>
          Send
        </button>
        <button type="button" className="cs-button" onClick={() => void save()}>
          Save the journal
        </button>
      </form>
      <PageApprovals desk={desk} />
    </main>
  )
}

function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text]))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

const root = createRoot(document.getElementById('root') as HTMLElement)
const seconds = Number(new URLSearchParams(location.search).get('seconds') ?? 60)

openPageGate({ timeout: `${seconds}s`, policy: { version: 1, preset: 'balanced' } })
  .then((opened) => root.render(<Chat opened={opened} />))
  .catch((error: unknown) => root.render(<p role="alert">No tools: {String(error)}</p>))
