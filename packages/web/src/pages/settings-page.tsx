import { formatAgo, InlineCode, SafeTextView, useServerNow } from '@countersign/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type SubscribedBrowser, service } from '../api/service.ts'
import { ThisBrowser } from '../push/this-browser.tsx'

/** How this person is notified of held calls: this browser, other browsers, and the channels of the home. */
export function SettingsPage(): ReactNode {
  const notifications = useQuery({ queryKey: ['notifications'], queryFn: service.notifications })
  const { browsers, channels = [], problems = [] } = notifications.data ?? {}
  return (
    <div className="page">
      <h1 className="page-title">Settings</h1>
      <p className="cs-dim">How you hear of held calls. You decide them here, signed by this browser’s key.</p>
      {notifications.error !== null && <p className="cs-bad">{notifications.error.message}</p>}
      {problems.map((problem) => (
        <p key={problem} className="cs-bad">
          <SafeTextView text={problem} />
        </p>
      ))}
      <ThisBrowser browsers={browsers} />
      {browsers !== undefined && browsers.length > 0 && <Browsers browsers={browsers} />}
      <section className="setting-group" aria-labelledby="channels">
        <h2 id="channels" className="setting-title">
          Channels
        </h2>
        {channels.length > 0 && (
          <ul className="cards">
            {channels.map(({ name, kind, target }) => (
              <li key={name} className="channel">
                <span className="channel-words">
                  <b>
                    <SafeTextView text={name} />
                  </b>
                  <span className="cs-dim">
                    {kind === 'desktop' ? 'desktop notifications' : kind} · <SafeTextView text={target} />
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )}
        <p className="cs-dim">
          Desktop notifications, ntfy, webhooks and quiet hours are set in a terminal:{' '}
          <InlineCode text="countersign notify --help" />
        </p>
      </section>
    </div>
  )
}

/** All subscribed browsers; each can be removed, such as that of a lost phone. */
function Browsers({ browsers }: { readonly browsers: readonly SubscribedBrowser[] }): ReactNode {
  const now = useServerNow()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: service.unsubscribePush,
    onSettled: () => queries.invalidateQueries({ queryKey: ['notifications'] }),
  })
  return (
    <section className="setting-group" aria-labelledby="browsers">
      <h2 id="browsers" className="setting-title">
        Notified browsers
      </h2>
      {remove.error !== null && (
        <p className="cs-bad" role="alert">
          {remove.error.message}
        </p>
      )}
      <ul className="cards">
        {browsers.map(({ id, name, service: host, at }) => (
          <li key={id} className="channel">
            <span className="channel-words">
              <b>
                <SafeTextView text={name} />
              </b>
              <span className="cs-dim">
                turned on {formatAgo(now - at)} · <SafeTextView text={host} />
              </span>
            </span>
            <button
              type="button"
              className="cs-button"
              disabled={remove.isPending}
              aria-label={`Remove ${name}`}
              onClick={() => remove.mutate(id)}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
