import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { watchFields } from './keyboard/paused-shortcuts.ts'
import { applySingleKeys, wantsSingleKeys } from './preferences/single-key-shortcuts.ts'
import { applyTheme, storedTheme } from './preferences/theme.ts'
import { followSession } from './session/session.ts'
import { followTickets } from './session/sign-in-ticket.ts'
import { installShell } from './shell/service-worker-registration.ts'
import './style.css'

followTickets()
applyTheme(storedTheme())
applySingleKeys(wantsSingleKeys())
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
watchFields()
installShell()
