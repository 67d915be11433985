import { assessFirebase, assessSupabase } from '../cloud/app-backends.ts'
import { assessFly, assessHeroku, assessPlatform, assessServerless } from '../cloud/app-platforms.ts'
import { assessAws } from '../cloud/aws.ts'
import { assessAz } from '../cloud/azure.ts'
import { assessBackup, assessRclone, assessSnapshots, assessVelero } from '../cloud/backups.ts'
import { assessGcloud, assessGsutil } from '../cloud/google.ts'
import {
  assessAnsible,
  assessAnsibleTools,
  assessCdk,
  assessHashi,
  assessPulumi,
  assessTerraform,
  assessVagrant,
} from '../cloud/infrastructure-as-code.ts'
import { assessAccount, assessCertbot, assessMessages, assessStripe, assessWallet } from '../cloud/online-services.ts'
import { assessS5cmd, assessSmallCloud } from '../cloud/other-providers.ts'
import { assessKeychain, assessPasswords, assessVault } from '../cloud/secret-stores.ts'
import { assessNetlify, assessVercel, assessWrangler } from '../cloud/web-platforms.ts'
import { fixed, type ProgramRow, READS } from './program-row.ts'

/** Programs for clouds and services. */
export const CLOUD: readonly ProgramRow[] = [
  ['terraform tofu terragrunt', assessTerraform],
  ['pulumi', assessPulumi],
  ['cdk aws-cdk cdktf sst', assessCdk],
  ['packer nomad consul boundary waypoint', assessHashi],
  ['vagrant multipass', assessVagrant],
  ['ansible ansible-playbook ansible-pull ansible-console', assessAnsible],
  ['ansible-vault ansible-galaxy ansible-inventory ansible-doc ansible-config sops', assessAnsibleTools],
  ['tflint terraform-docs tfsec checkov terrascan infracost ansible-lint cfn-lint cfn-guard driftctl kics', READS],
  ['aws awslocal', assessAws],
  ['gcloud', assessGcloud],
  ['gsutil', assessGsutil],
  ['s5cmd', assessS5cmd],
  ['az', assessAz],
  [
    'doctl oci ibmcloud linode-cli scw hcloud s3cmd mc aliyun tccli vultr-cli civo exo openstack upctl',
    assessSmallCloud,
  ],
  ['heroku dokku scalingo clever', assessHeroku],
  ['fly flyctl', assessFly],
  ['vercel now', assessVercel],
  ['netlify netlify-cli ntl', assessNetlify],
  ['wrangler', assessWrangler],
  ['firebase firebase-tools', assessFirebase],
  ['supabase', assessSupabase],
  ['railway render eb amplify copilot koyeb northflank cf surge gh-pages ampx convex', assessPlatform],
  ['serverless sls sam samlocal chalice zappa arc claudia', assessServerless],
  ['stripe', assessStripe],
  ['twilio sendgrid mailgun slack signal-cli telegram-send ntfy slackcat', assessMessages],
  [
    'turso pscale neonctl neon sentry-cli sanity contentful eas expo-cli shopify atlas snyk datadog-ci pagerduty',
    assessAccount,
  ],
  ['vault bao', assessVault],
  ['op bw lpass pass gopass infisical chamber keyring secret-tool keepassxc-cli dashlane rbw', assessPasswords],
  ['security', assessKeychain],
  ['velero', assessVelero],
  ['borg restic duplicity kopia bup rustic borgmatic', assessBackup],
  ['rclone', assessRclone],
  ['timeshift snapper tmutil', assessSnapshots],
  ['certbot acme.sh lego', assessCertbot],
  ['mkcert', fixed('medium', 'services.certificate', 'makes or trusts a certificate of this machine')],
  ['bitcoin-cli geth cast solana lncli near', assessWallet],
]
