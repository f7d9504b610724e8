import Hummingbird
import HummingbirdTLS
import X509
