import { watchPointer } from '@countersign/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { navigate } from 'wouter/use-browser-location'
import { App } from './app.tsx'
import { watchInterruptedTyping } from './keyboard/paused-shortcuts.tsx'
import { applyPreferences } from './preferences/preferences.ts'
import { followSession } from './session/session.ts'
import { followTickets } from './session/sign-in-ticket.ts'
import './style.css'

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

const WORKER = '/sw.js'

/** How often, and after how long, an installation of the service worker is tried again that failed on a bad connection. */
const TRIES = 5
const RETRY_MS = 10_000

/** SECURITY: A16 the only script URL this page ever creates is a constant. */
function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return
  const trusted = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes
  const policy = trusted?.createPolicy('countersign', { createScriptURL: () => WORKER })
  const url = policy?.createScriptURL(WORKER) ?? WORKER
  install(url, TRIES)
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<unknown>) => openNotified(data))
}

function install(url: string, tries: number): void {
  navigator.serviceWorker.register(url).catch(() => {
    if (tries > 1) setTimeout(() => install(url, tries - 1), RETRY_MS)
  })
}

/** Opens the call of a clicked notification without a reload, so that typed text is kept. */
function openNotified(message: unknown): void {
  if (typeof message !== 'object' || message === null || !('path' in message) || typeof message.path !== 'string')
    return
  if (/^\/(held\/[^/]*)?$/.test(message.path)) navigate(message.path)
}

followTickets()
applyPreferences()
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 2_000, refetchOnWindowFocus: true } },
})
const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  )
followSession()
watchInterruptedTyping()
watchPointer()
registerServiceWorker()
