import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { watchFields } from './inbox/keys-rest.ts'
import { followSession } from './session.ts'
import { installShell } from './shell-worker.ts'
import { followTickets } from './sign-in-ticket.ts'
import { applySingleKeys, wantsSingleKeys } from './single-keys.ts'
import { applyTheme, storedTheme } from './theme.ts'
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
