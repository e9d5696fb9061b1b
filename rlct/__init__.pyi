"""What a type checker sees of the package, and the one table of its public names."""

from rlct.api import blow_up as blow_up
from rlct.api import ideal as ideal
from rlct.api import linear as linear
from rlct.api import model as model
from rlct.api import poly as poly
from rlct.api import solve as solve
from rlct.api import theorem as theorem
from rlct.blowup.resolution import BlowUp as BlowUp
from rlct.budget import error_budget as error_budget
from rlct.certificate.verify import verify as verify
from rlct.checking import check as check
from rlct.errors import CertificateError as CertificateError
from rlct.errors import DivergedError as DivergedError
from rlct.errors import InputError as InputError
from rlct.errors import RoutesDisagreeError as RoutesDisagreeError
from rlct.evidence.learning_curve import learning_curve as learning_curve
from rlct.evidence.loo import loo as loo
from rlct.evidence.sbic import sbic as sbic
from rlct.evidence.waic import waic as waic
from rlct.evidence.wbic import wbic as wbic
from rlct.models.linear import LinearNetwork as LinearNetwork
from rlct.models.linear_point import LinearPoint as LinearPoint
from rlct.models.quadratic import QuadraticNetwork as QuadraticNetwork
from rlct.models.quadratic_features import QuadraticFeatures as QuadraticFeatures
from rlct.models.quadratic_generic import QuadraticArchitecture as QuadraticArchitecture
from rlct.models.relu import ReluNetwork as ReluNetwork
from rlct.pair import Pair as Pair
from rlct.problem import Problem as Problem
from rlct.quadratic_networks import quadratic as quadratic
from rlct.relu_networks import relu as relu
from rlct.result import Result as Result
from rlct.simulation import calibrate as calibrate
from rlct.simulation import llc as llc
from rlct.table import Table as Table
from rlct.table import compare as compare
from rlct.theorems._deep_linear_arrays import deep_linear_pairs as deep_linear_pairs

__version__: str
__all__: list[str]
