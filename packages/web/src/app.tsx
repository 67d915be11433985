import { ApprovalsProvider, type BrowserKey, heldFacts, ServiceError, useApprovals } from '@countersign/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useMemo } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { type Me, service } from './api/service.ts'
import { Announcements } from './approvals/announcements.tsx'
import { browserKey, DeskContext, noteEnrolled, source } from './approvals/context.ts'
import { InboxPage } from './pages/inbox-page.tsx'
import { SignInPage } from './pages/sign-in-page.tsx'
import { PauseBanner } from './rules/pause.tsx'
import { SIGN_IN } from './session/sign-in-ticket.ts'
import { EnrolBanner, PasskeyChooser, PolicyBanner } from './shell/banners.tsx'
import { ErrorBoundary } from './shell/error-boundary.tsx'
import { Shell } from './shell/shell.tsx'
import { blockedReason, offerOf, type Signing } from './signing/capability.ts'
import { passkeysHere, useChosenPasskey } from './signing/passkey.ts'

const HistoryPage = lazy(async () => ({ default: (await import('./pages/history-page.tsx')).HistoryPage }))
const GrantsPage = lazy(async () => ({ default: (await import('./pages/grants-page.tsx')).GrantsPage }))
const ChangesPage = lazy(async () => ({ default: (await import('./pages/changes-page.tsx')).ChangesPage }))
const JournalPage = lazy(async () => ({ default: (await import('./pages/journal-page.tsx')).JournalPage }))
const ToolsPage = lazy(async () => ({ default: (await import('./pages/tools-page.tsx')).ToolsPage }))
const ExplainPage = lazy(async () => ({ default: (await import('./pages/explain-page.tsx')).ExplainPage }))
const ChartsPage = lazy(async () => ({ default: (await import('./pages/charts-page.tsx')).ChartsPage }))
const SettingsPage = lazy(async () => ({ default: (await import('./pages/settings-page.tsx')).SettingsPage }))

/** The inbox, or the sign-in page. */
export function App(): ReactNode {
  const [path] = useLocation()
  const isSigningIn = path === SIGN_IN
  const me = useQuery({ queryKey: ['me'], queryFn: service.me, refetchInterval: 60_000, enabled: !isSigningIn })
  if (isSigningIn) return <SignInPage />
  if (me.error instanceof ServiceError && (me.error.status === 401 || me.error.status === 403)) return <SignInPage />
  // No stream is opened before the sign-in is known. If that request fails, the inbox tells why.
  if (me.isPending && me.errorUpdateCount === 0)
    return (
      <p className="cs-root page-wait" role="status">
        Connecting to the service…
      </p>
    )
  return (
    <ApprovalsProvider source={source}>
      <Desk />
    </ApprovalsProvider>
  )
}

function Desk(): ReactNode {
  const [path] = useLocation()
  const used = useApprovals()
  const queries = useQueryClient()
  const me = useQuery({ queryKey: ['me'], queryFn: service.me, refetchInterval: 60_000 })
  const key = useQuery({ queryKey: ['key'], queryFn: browserKey, staleTime: Number.POSITIVE_INFINITY })
  const passkeys = passkeysHere(me.data)
  const chosen = useChosenPasskey()
  const signing: Signing = {
    key: keyState(me.data, key.data, key.error),
    passkeys: passkeys.length,
    isChosen: passkeys.some(({ id }) => id === chosen),
    isDemanded: used.held.some((call) => heldFacts(call)?.passkey === true),
  }
  useEffect(() => {
    if (signing.key === 'enrolled') noteEnrolled()
  }, [signing.key])
  const offer = offerOf(signing)
  const blocked = blockedReason(used.link, signing)
  const { generation, link, held } = used
  // biome-ignore lint/correctness/useExhaustiveDependencies: refetches when grants or policy changed
  useEffect(() => {
    void queries.invalidateQueries({ predicate: (query) => query.queryKey[0] !== 'key' && query.queryKey[0] !== 'me' })
  }, [generation, queries])
  useEffect(() => {
    if (link === 'signed-out') void queries.invalidateQueries({ queryKey: ['me'] })
    // Retries failed requests after a reconnect.
    if (link === 'live') void queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
  }, [link, queries])
  useEffect(() => {
    document.title = held.length === 0 ? 'Countersign' : `(${held.length}) Countersign`
  }, [held.length])
  const { key: keyKind, isChosen, isDemanded } = signing
  const desk = useMemo(
    () => ({ ...used, blocked, signing: { key: keyKind, passkeys: passkeys.length, isChosen, isDemanded } }),
    [used, blocked, keyKind, passkeys.length, isChosen, isDemanded],
  )
  return (
    <DeskContext value={desk}>
      <Shell>
        {me.data !== undefined && <PolicyBanner me={me.data} />}
        <PauseBanner />
        {offer === 'choose' && <PasskeyChooser passkeys={passkeys} chosen={chosen} />}
        {(offer === 'enrol' || offer === 'passkey') && (
          <EnrolBanner
            browserKey={offer === 'enrol' ? (key.data ?? null) : null}
            cannot={key.error?.message ?? null}
            passkeys={passkeys}
          />
        )}
        <Announcements />
        <ErrorBoundary path={path} link={link}>
          <Suspense fallback={<p className="page-wait">…</p>}>
            <Switch>
              <Route path="/history" component={HistoryPage} />
              <Route path="/grants" component={GrantsPage} />
              <Route path="/changes" component={ChangesPage} />
              <Route path="/journal" component={JournalPage} />
              <Route path="/tools" component={ToolsPage} />
              <Route path="/explain" component={ExplainPage} />
              <Route path="/charts" component={ChartsPage} />
              <Route path="/settings" component={SettingsPage} />
              <Route path="/held/:id">{({ id }) => <InboxPage id={decodeURIComponent(id)} />}</Route>
              <Route path="/batch/:rule">{({ rule }) => <InboxPage batch={decodeURIComponent(rule)} />}</Route>
              <Route>
                <InboxPage />
              </Route>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </Shell>
    </DeskContext>
  )
}

function keyState(me: Me | undefined, key: BrowserKey | undefined, error: Error | null): Signing['key'] {
  if (error !== null) return 'impossible'
  if (me === undefined || key === undefined) return null
  return me.approvers.some((one) => one.id === key.keyId) ? 'enrolled' : 'not-enrolled'
}
