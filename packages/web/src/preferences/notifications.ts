import { deadlineOf, formatDuration, type HeldCall, heldFacts, RISK_LEVELS, safeText } from '@countersign/react'
import { navigate } from 'wouter/use-browser-location'

const KEY = 'countersign-notify'

/** Whether this browser may and should tell of new held calls. */
export function wantsNotifications(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'yes'
}

/** Asks the browser, and keeps the answer; false when it may not. */
export async function switchNotifications(on: boolean): Promise<boolean> {
  if (!on || !('Notification' in globalThis)) {
    localStorage.removeItem(KEY)
    return false
  }
  if ((await Notification.requestPermission()) !== 'granted') return false
  localStorage.setItem(KEY, 'yes')
  return true
}

/** What a notice says. SECURITY: it may stand on a locked screen, so never an argument: risk, tool, agent, time. */
function singleCallText(view: HeldCall, now: number): { readonly title: string; readonly body: string } {
  const facts = heldFacts(view)
  const tool = facts === null ? 'a call' : safeText(facts.tool.slice(0, 64))
  const agent = facts === null ? '' : `agent ${safeText(facts.agent.join(' › ').slice(0, 48))}, `
  return {
    title: `${view.risk.level.toUpperCase()} ${tool}`,
    body: `${agent}${formatDuration(deadlineOf(view) - now)} left`,
  }
}

/** What one notice says of all that came since somebody looked: of several only how many, how grave and how soon. */
export function notificationText(
  calls: readonly HeldCall[],
  now: number,
): { readonly title: string; readonly body: string } {
  const [only] = calls
  if (only !== undefined && calls.length === 1) return singleCallText(only, now)
  const worst = RISK_LEVELS.findLast((level) => calls.some(({ risk }) => risk.level === level)) ?? 'none'
  const soonest = Math.min(...calls.map(deadlineOf))
  return {
    title: `${calls.length} calls are waiting`,
    body: `up to ${worst.toUpperCase()}, the first has ${formatDuration(soonest - now)} left`,
  }
}

/** Shows the one notice of the inbox, in the place of the last. SECURITY: A19 however many calls come, it is one. */
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
