import type { CheckInput } from '@countersign/core'

/** Programs that talk to other machines with what their command line holds. */
const NETWORK = new Set(
  (
    'curl wget http https xh httpie nc ncat netcat socat telnet ssh scp sftp rsync ftp lftp git gh glab hub svn hg ' +
    'aws gcloud az doctl heroku fly flyctl vercel netlify wrangler firebase supabase docker podman helm kubectl oc terraform pulumi ' +
    'npm pnpm yarn bun twine cargo gem mail sendmail mutt swaks psql mysql mongosh mongo redis-cli sqlcmd ldapsearch smbclient ' +
    'rclone s3cmd mc nslookup dig host ping'
  ).split(' '),
)

/** Files made to keep secrets, which nobody commits: `.env`, keys, the credentials of programs. */
const KEEPS_SECRETS =
  /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|[\w.-]+\.env|\.npmrc|\.pypirc|\.netrc|\.pgpass|\.my\.cnf|credentials(?:\.\w+)?|secrets?\.[\w.]+|[\w.-]*\.(?:pem|key|p12|pfx|jks|keystore|age|kdbx|tfvars)|id_[a-z0-9]+|\.htpasswd|kubeconfig)$|(?:^|\/)\.(?:aws|ssh|gnupg|kube|docker|secrets?)\//i

const EXAMPLE = /(?:example|sample|template|dist)(?:\.\w+)?$/i

/** Whether this file is a place where secrets belong. An example of one is committed, so it is not. */
export function secretFile(path: string): boolean {
  return KEEPS_SECRETS.test(path) && !EXAMPLE.test(path)
}

/** Whether what a call carries goes to another machine, or may. What is not understood may. */
export function leavesMachine({ call, risk }: CheckInput): boolean {
  const { kind, url } = call.descriptor
  switch (kind) {
    case 'fetch':
    case 'send':
      return true
    case 'execute':
      return (
        url !== undefined ||
        !risk.understood ||
        risk.parts.some(({ command }) => command.program === null || NETWORK.has(command.program))
      )
    case 'query':
    case 'other':
      return call.source === 'mcp' || url !== undefined
    default:
      return call.source === 'mcp' || (url !== undefined && !url.startsWith('file:'))
  }
}
