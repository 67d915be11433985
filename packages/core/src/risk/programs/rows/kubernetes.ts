import { anyAbbreviation } from '../assessor/assessor.ts'
import { assessKubectl } from '../containers/kubectl.ts'
import { assessHelmfile, assessSkaffold } from '../containers/kubernetes-deployers.ts'
import {
  assessArgo,
  assessClusterMaker,
  assessContext,
  assessFlux,
  assessHelm,
  assessLocalCluster,
  assessMesh,
} from '../containers/kubernetes-tools.ts'
import { fixed, type ProgramRow, READS } from './program-row.ts'

/** Programs for Kubernetes. */
export const KUBERNETES: readonly ProgramRow[] = [
  ['kubectl oc kubecolor k', assessKubectl],
  ['helm', assessHelm],
  ['argocd argo', assessArgo],
  ['flux', assessFlux],
  ['kind minikube k3d k3s microk8s', assessLocalCluster],
  ['eksctl kops kubeadm clusterctl rke talosctl k0s k0sctl', assessClusterMaker],
  ['istioctl linkerd cilium', assessMesh],
  ['helmfile', assessHelmfile],
  ['skaffold tilt devspace garden werf kapp ytt', assessSkaffold],
  [
    'kustomize kubeval kubeconform kube-linter kube-score conftest stern kubetail polaris popeye pluto kubescape kube-bench jsonnet cue',
    READS,
  ],
  ['k9s lens', fixed('low', 'kubernetes.session', 'opens a view of a cluster')],
  ['kubectx kubens', assessContext],
  [
    'kubeseal',
    (facts) =>
      anyAbbreviation(facts.part, '--recovery-unseal', '--recovery-private-key')
        ? fixed('high', 'kubernetes.unseal', 'shows what was sealed')(facts)
        : fixed('low', 'kubernetes.seal', 'seals a secret')(facts),
  ],
]
