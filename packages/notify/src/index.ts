/**
 * Notifications of held calls, written by hand: a symbol is here because somebody outside needs it.
 * @module
 */

export type { Channel } from './channels/channel.ts'
export { type DesktopCommand, desktopCommand } from './channels/desktop.ts'
export { type Courier, type CourierParts, openCourier } from './courier.ts'
export type { Delivery } from './http/verdict.ts'
export type { NotifiedCall } from './notification/notification.ts'
export { notifiedCall } from './notification/notified-call.ts'
export { type OpenedChannels, openChannels } from './open-channels.ts'
export {
  readSubscriptions,
  type Subscription,
  subscribe,
  unsubscribe,
  unsubscribeApprover,
} from './push/subscriptions.ts'
export { sendTest } from './send-test.ts'
export { urlProblem } from './settings/channel-url.ts'
export { CHANNEL_NAME, type ChannelSettings, QUIET_EXCEPTIONS, type Settings } from './settings/settings.ts'
export { changeSettings, readSettings, setIn } from './settings/settings-file.ts'
export { makeSecret, makeSigningKey, publicHalf } from './settings/webhook-secrets.ts'
export { type ChannelStatus, type DeadLetter, type NotifyStatus, notifyStatus } from './status.ts'
