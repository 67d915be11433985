import { deadlineOf, formatDuration, type HeldCall, heldFacts, RISK_LEVELS, safeText } from '@countersign/react'
import { navigate } from 'wouter/use-browser-location'

const KEY = 'countersign-notify'

/** Whether the person wants notifications and the browser permits them. */
export function wantsNotifications(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'yes'
}

/** Turns notifications on or off, asking the browser for permission; returns the new state. */
export async function switchNotifications(on: boolean): Promise<boolean> {
  if (!on || !('Notification' in globalThis)) {
    localStorage.removeItem(KEY)
    return false
  }
  if ((await Notification.requestPermission()) !== 'granted') return false
  localStorage.setItem(KEY, 'yes')
  return true
}

/** SECURITY: a notification may show on a locked screen, so it never contains arguments. */
function singleCallText(view: HeldCall, now: number): { readonly title: string; readonly body: string } {
  const facts = heldFacts(view)
  const tool = facts === null ? 'a call' : safeText(facts.tool.slice(0, 64))
  const agent = facts === null ? '' : `Agent ${safeText(facts.agent.join(' › ').slice(0, 48))} · `
  return {
    title: `${view.risk.level.toUpperCase()} ${tool}`,
    body: `${agent}${formatDuration(deadlineOf(view) - now)} left`,
  }
}

/** The text for all unseen calls: details of a single one, a summary of several. */
export function notificationText(
  calls: readonly HeldCall[],
  now: number,
): { readonly title: string; readonly body: string } {
  const [only] = calls
  if (only !== undefined && calls.length === 1) return singleCallText(only, now)
  const worst = RISK_LEVELS.findLast((level) => calls.some(({ risk }) => risk.level === level)) ?? 'none'
  const soonest = Math.min(...calls.map(deadlineOf))
  return {
    title: `${calls.length} held calls`,
    body: `Highest risk: ${worst.toUpperCase()} · first expires in ${formatDuration(soonest - now)}`,
  }
}

/** Replaces the inbox's one notification. SECURITY: A19 there is never more than one. */
export async function showNotification(calls: readonly HeldCall[], now: number): Promise<void> {
  const { title, body } = notificationText(calls, now)
  const id = calls.length === 1 ? (calls[0]?.id ?? '') : ''
  const registration = await navigator.serviceWorker?.getRegistration()
  const options = { body, tag: 'countersign-held', renotify: true, icon: '/icon-192.png', data: id }
  if (registration !== undefined) await registration.showNotification(title, options)
  else
    new Notification(title, options).onclick = () => {
      focus()
      navigate(id === '' ? '/' : `/held/${encodeURIComponent(id)}`)
    }
}
