// Keeps the shell of the inbox, so that an installed one opens and can say that it is offline. Never keeps an answer of
// the API: what is held is only ever what the service says right now.
const SHELL = 'countersign-shell-1'

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.add('/')))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin || url.pathname.startsWith('/api/')) return
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => caches.match('/')))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(keptOrFetched(request))
})

async function keptOrFetched(request) {
  const kept = await caches.match(request)
  if (kept !== undefined) return kept
  const answer = await fetch(request)
  if (answer.ok) {
    const cache = await caches.open(SHELL)
    await cache.put(request, answer.clone())
  }
  return answer
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const path = `/held/${encodeURIComponent(String(event.notification.data ?? ''))}`
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then(async (windows) => {
      const [open] = windows
      if (open === undefined) return self.clients.openWindow(path)
      const opened = await open.navigate(path)
      return (opened ?? open).focus()
    }),
  )
})
