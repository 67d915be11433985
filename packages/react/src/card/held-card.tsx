import type { WouldMatch } from '@countersign/core'
import {
  type Decision,
  type GrantScope,
  type HeldCallView,
  type Json,
  maskView,
  type OpenedView,
  type PastCall,
  toolLabel,
} from '@countersign/core'
import { type ReactNode, type Ref, useMemo, useRef, useState } from 'react'
import { actOf, mustSee } from '../call/confirmation-level.ts'
import { openHeld } from '../call/verified-view.ts'
import { type DecisionActions, DecisionBar } from '../decision/bar.tsx'
import { useFirstFocus } from '../decision/use-initial-focus.ts'
import { PreviewView } from '../preview/preview-view.tsx'
import { useServerNow } from '../source/server-clock.ts'
import { Effect } from '../text/call-effect.tsx'
import { agoWords } from '../text/format.ts'
import { EndOfBody, ReadingProvider } from '../text/reading-progress.tsx'
import { RiskBadge } from '../text/risk-badge.tsx'
import { Safe } from '../text/safe-text.tsx'
import { Countdown } from './countdown.tsx'
import { type DetailsActions, RequestDetails } from './request-details.tsx'
import { CoveredSecrets } from './reveal-secrets.tsx'
import { Similar } from './similar-decisions.tsx'
import { WhatIsKnown } from './what-is-known.tsx'

/** What a card needs of the page around it. */
export interface HeldCardProps {
  readonly view: HeldCallView
  /** Why nothing may be decided now, in words; null when it may. */
  readonly blocked: string | null
  readonly onDecide: (decision: Decision) => Promise<unknown>
  readonly wouldMatch?: (scope: GrantScope) => Promise<WouldMatch>
  /** Reads the definition of the call's tool, when arguments are to be edited by its schema. */
  readonly readDefinition?: () => Promise<Json | null>
  readonly past?: readonly PastCall[]
  readonly actions?: Ref<DecisionActions>
  /** Takes the focus when it is opened: on its safe button from high on, else on its heading. */
  readonly takesFocus?: boolean
}

/** One held call, whole: what would run, why it was asked, what is known of it, and the decision. */
export function HeldCard(props: HeldCardProps): ReactNode {
  const held = openHeld(props.view)
  if (held.kind === 'mismatch')
    return (
      <article className="cs-card" aria-label="A request that cannot be trusted">
        <p className="cs-notes cs-notes-bad">
          <Safe text={held.message} />
        </p>
      </article>
    )
  return (
    <ReadingProvider key={held.opened.view.requestDigest}>
      <Card {...props} opened={held.opened} />
    </ReadingProvider>
  )
}

function Card({
  opened,
  blocked,
  onDecide,
  wouldMatch,
  readDefinition,
  past,
  actions,
  takesFocus = false,
}: HeldCardProps & { readonly opened: OpenedView }): ReactNode {
  const [isRevealed, setRevealed] = useState(false)
  const masked = useMemo(() => maskView(opened), [opened])
  const shown = isRevealed ? opened : masked
  const { view, body } = shown
  const heading = useRef<HTMLHeadingElement>(null)
  const details = useRef<DetailsActions>(null)
  const isGrave = mustSee(view.risk.level, actOf(opened)) === 'everything'
  useFirstFocus(heading, takesFocus && !isGrave)
  const quoted = view.preview.kind === 'command' || view.preview.kind === 'query'
  return (
    <article className={`cs-card cs-edge-${view.risk.level}`} aria-label="Held call">
      <div className="cs-body">
        <header className="cs-card-head">
          <RiskBadge level={view.risk.level} />
          {body.supervision === 'manual' && <span className="cs-tag">manual</span>}
          <span className="cs-tool">
            <Safe text={toolLabel(body.call.tool)} />
          </span>
          <AskedBy agent={body.call.agent} openedAt={view.openedAt} />
        </header>
        <h2 ref={heading} tabIndex={-1} className={quoted ? 'cs-effect cs-effect-quiet' : 'cs-effect'}>
          {quoted ? effectWithout(view.preview.kind) : <Effect text={view.effect} request={view.request} />}
        </h2>
        <p className="cs-cwd">
          in <Safe text={body.call.cwd} />
        </p>
        <Countdown openedAt={view.openedAt} expiresAt={body.expiresAt} />
        <CoveredSecrets secrets={masked.secrets} isRevealed={isRevealed} setRevealed={setRevealed} />
        <PreviewView opened={shown} />
        <WhatIsKnown opened={shown} />
        <RequestDetails opened={shown} raw={opened.view.request} actions={details} />
        <Similar past={past ?? []} />
        <EndOfBody />
      </div>
      <DecisionBar
        opened={opened}
        blocked={blocked}
        onDecide={onDecide}
        takesFocus={takesFocus && isGrave}
        showCode={() => details.current?.show()}
        {...(wouldMatch ? { wouldMatch } : {})}
        {...(readDefinition ? { readDefinition } : {})}
        {...(actions ? { actions } : {})}
      />
    </article>
  )
}

/** The sentence would quote the command or query in part; the whole of it stands right below. */
function effectWithout(kind: 'command' | 'query' | string): string {
  return kind === 'command' ? 'Runs this command' : 'Sends this query'
}

function AskedBy({ agent, openedAt }: { readonly agent: readonly string[]; readonly openedAt: number }): ReactNode {
  const now = useServerNow(5_000)
  return (
    <span className="cs-asked cs-dim">
      asked by <Safe text={agent.join(' › ')} /> {agoWords(now - openedAt)}
    </span>
  )
}
