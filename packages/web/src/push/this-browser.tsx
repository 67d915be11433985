import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId } from 'react'
import { type SubscribedBrowser, service } from '../api/service.ts'
import { usePreferences } from '../preferences/preferences.ts'
import { notePush, ownSubscription, pushSupport, subscribeBrowser, unsubscribeBrowser } from './subscription.ts'

/** How this browser is notified: by Web Push also while the inbox is closed, or only while it is open. */
export function ThisBrowser({ browsers }: { readonly browsers: readonly SubscribedBrowser[] | undefined }): ReactNode {
  const { notifies, setNotifies } = usePreferences()
  const support = pushSupport()
  const own = useQuery({ queryKey: ['push'], queryFn: ownSubscription })
  const mine = browsers?.find(({ id }) => id === own.data)
  const change = useSwitch()
  const isOn = mine !== undefined
  const isKnown = own.data !== undefined && browsers !== undefined
  useEffect(() => {
    if (isKnown) notePush(isOn)
  }, [isKnown, isOn])
  return (
    <section className="setting-group" aria-labelledby="this-browser">
      <h2 id="this-browser" className="setting-title">
        This browser
      </h2>
      <Switch
        label={onPhone() ? 'Notify this phone' : 'Notify this browser'}
        hint="Works while the inbox is closed. Shows risk, tool, agent and time left. A tap opens the call."
        isOn={isOn}
        isDisabled={(!(isKnown && support.kind === 'possible') && !isOn) || change.isPending}
        set={(on) => change.mutate(on)}
      />
      {change.isPending && (
        <p className="cs-dim" role="status">
          {isOn ? 'Turning off…' : 'Waiting for the browser…'}
        </p>
      )}
      {support.kind === 'impossible' && <p className="setting-note">{support.why}</p>}
      {support.kind === 'blocked' && (
        <p className="setting-note">
          Notifications are blocked for this site. Allow them in the browser’s site settings, then reload this page.
        </p>
      )}
      {change.error !== null && (
        <p className="cs-bad" role="alert">
          {change.error.message}
        </p>
      )}
      {mine !== undefined && <TestButton id={mine.id} />}
      {!isOn && (
        <Switch
          label="Notify only while the inbox is open"
          hint="Shown by the page itself while it is in the background."
          isOn={notifies}
          isDisabled={!('Notification' in globalThis) || support.kind === 'blocked'}
          set={(on) => void setNotifies(on)}
        />
      )}
    </section>
  )
}

function useSwitch() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (on: boolean) => (on ? subscribeBrowser() : unsubscribeBrowser()),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['push'] }),
        queries.invalidateQueries({ queryKey: ['notifications'] }),
      ]),
  })
}

function TestButton({ id }: { readonly id: string }): ReactNode {
  const test = useMutation({ mutationFn: () => service.testPush(id) })
  const failure = test.error?.message ?? test.data?.why
  return (
    <div className="setting-test">
      <button type="button" className="cs-button" disabled={test.isPending} onClick={() => test.mutate()}>
        Send a test notification
      </button>
      {test.data?.sent === true && (
        <span className="cs-dim" role="status">
          Sent. It should appear within a few seconds.
        </span>
      )}
      {failure !== undefined && failure !== null && (
        <span className="cs-bad" role="alert">
          Not sent: {failure}
        </span>
      )}
    </div>
  )
}

interface SwitchProps {
  readonly label: string
  readonly hint: string
  readonly isOn: boolean
  readonly isDisabled: boolean
  set(on: boolean): void
}

function Switch({ label, hint, isOn, isDisabled, set }: SwitchProps): ReactNode {
  const id = useId()
  return (
    <div className="setting">
      <span className="setting-words">
        <span id={`${id}-label`} className="setting-label">
          {label}
        </span>
        <span id={`${id}-hint`} className="cs-dim">
          {hint}
        </span>
      </span>
      <button
        type="button"
        role="switch"
        className="switch"
        aria-checked={isOn}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-hint`}
        disabled={isDisabled}
        onClick={() => set(!isOn)}
      >
        <span className="switch-knob" />
      </button>
    </div>
  )
}

function onPhone(): boolean {
  return /iPhone|Android.*Mobile/.test(navigator.userAgent)
}
